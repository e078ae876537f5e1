import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import type { Made } from "./made.ts";
import type { NodeWork } from "./node-work.ts";
import { namedTool } from "./tool-parameters.ts";

const operators: Readonly<Record<string, string>> = {
  equal: "=",
  equals: "=",
  "!=": "<>",
  ">": ">",
  "<": "<",
  ">=": ">=",
  "<=": "<=",
  LIKE: "like",
  "IS NULL": "is null",
  "IS NOT NULL": "is not null",
};

function conditions(work: NodeWork): Json {
  const list = work.list("where", "values").map(({ column, condition, value }): JsonObject => {
    const operator = operators[String(condition ?? "equal")] ?? "=";
    return {
      column: String(column ?? ""),
      operator,
      ...(operator.startsWith("is") ? {} : { value: work.template(value) }),
    };
  });
  return work.word("combineConditions") === "OR" && list.length > 1 ? { any: list } : list;
}

function tableOf(work: NodeWork): string {
  const schema = work.textOf(work.at("schema"));
  const table = work.textOf(work.at("table"));
  return schema === "" || schema === "public" ? table : `${schema}.${table}`;
}

/** Values by column, as n8n's newer and older versions have them. */
function values(work: NodeWork): JsonObject {
  const mapped = work.at("columns", "value");
  if (isJsonObject(mapped))
    return Object.fromEntries(Object.entries(mapped).map(([name, value]) => [name, work.template(value)]));
  return Object.fromEntries(
    work.list("valuesToSend", "values").map(({ column, value }) => [String(column ?? ""), work.template(value)]),
  );
}

/** The Postgres node as a tool: one of the focused tools here. */
export function postgresTool(work: NodeWork): Made {
  const operation = work.word("operation", "insert");
  const limit = work.number("limit");
  const common = {
    output: (kind: string) => (kind === "ai_tool" ? "tool" : undefined),
    needs: "a Postgres credential",
  };
  switch (operation) {
    case "executeQuery":
      return {
        ...common,
        type: "postgres-execute-tool",
        config: {
          ...namedTool(work, "Runs one SQL statement."),
          statement: work.textOf(work.at("query")),
          readOnly: !/^\s*=?\s*(insert|update|delete|merge)\b/i.test(String(work.at("query") ?? "")),
        },
      };
    case "select":
      return {
        ...common,
        type: "postgres-select-tool",
        config: {
          ...namedTool(work, "Reads rows of a table."),
          tableName: tableOf(work),
          where: conditions(work),
          ...(limit === undefined ? {} : { limit: Math.min(10_000, Math.max(1, Math.round(limit))) }),
        },
      };
    case "update":
      return {
        ...common,
        type: "postgres-update-tool",
        config: { ...namedTool(work, "Changes rows of a table."), tableName: tableOf(work), values: values(work) },
        outcome: "approximated",
        note: "The model gives the condition; set it if it is always the same.",
      };
    case "deleteTable":
    case "delete":
      return {
        ...common,
        type: "postgres-delete-tool",
        config: { ...namedTool(work, "Deletes rows of a table."), tableName: tableOf(work), where: conditions(work) },
      };
    default:
      return {
        ...common,
        type: "postgres-insert-tool",
        config: { ...namedTool(work, "Adds rows to a table."), tableName: tableOf(work), rows: [values(work)] },
      };
  }
}

/** The Postgres node in a flow. Its output is the list of rows, as n8n's items are. */
export function postgresNode(work: NodeWork): Made {
  const operation = work.word("operation", "insert");
  const limit = work.number("limit");
  const made = (config: JsonObject, note?: string): Made => ({
    type: "postgres",
    config: { ...config, result: "rows" },
    needs: "a Postgres credential",
    ...(note === undefined ? {} : { outcome: "approximated", note }),
  });
  const tableName = tableOf(work);
  const returning = ["*"];
  switch (operation) {
    case "executeQuery": {
      const statement = work.textOf(work.at("query"));
      const readOnly = !/^\s*=?\s*(insert|update|delete|merge)\b/i.test(String(work.at("query") ?? ""));
      return made({ operation: "execute", statement, readOnly }, "It runs once, not once per item.");
    }
    case "select": {
      const config: JsonObject = { operation: "select", tableName, where: conditions(work) };
      if (limit !== undefined) config["limit"] = Math.min(10_000, Math.max(1, Math.round(limit)));
      return made(config);
    }
    case "update": {
      const { found, changed } = matched(work);
      return made(
        { operation: "update", tableName, values: changed, where: found, returning },
        found.length === 0 ? "Set the condition: which rows it changes." : undefined,
      );
    }
    case "deleteTable":
    case "delete":
      return made({ operation: "delete", tableName, where: conditions(work), returning });
    case "upsert":
      return made(
        { operation: "insert", tableName, rows: [values(work)], returning },
        "It only adds rows. To change those that exist, use Execute SQL with ON CONFLICT.",
      );
    default:
      return made({ operation: "insert", tableName, rows: [values(work)], returning });
  }
}

/** The values of an update, parted into those that find the rows and those that are new. */
function matched(work: NodeWork): { found: JsonObject[]; changed: JsonObject } {
  const all = values(work);
  const listed = work.at("columns", "matchingColumns");
  const keys = Array.isArray(listed) ? listed.map(String) : [work.textOf(work.at("columnToMatchOn"))];
  const found = keys.flatMap((column) => {
    const value = Object.hasOwn(all, column) ? all[column] : undefined;
    return value === undefined ? [] : [{ column, operator: "=", value }];
  });
  return { found, changed: Object.fromEntries(Object.entries(all).filter(([name]) => !keys.includes(name))) };
}
