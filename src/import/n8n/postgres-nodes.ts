import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { below } from "./list-nodes.ts";
import { lookup } from "../lookup.ts";
import { isGiven, unsaid } from "./apps/request.ts";
import { upsertSql } from "./apps/sql-upsert.ts";
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

/** The conditions; undefined where one of them, or how they are joined, is not known. */
function conditions(work: NodeWork): Json | undefined {
  const rows = work.list("where", "values").map(({ column, condition, value }): JsonObject | undefined => {
    const operator = lookup(operators, String(condition ?? "equal"));
    if (operator === undefined) return undefined;
    return {
      column: String(column ?? ""),
      operator,
      ...(operator.startsWith("is") ? {} : { value: work.template(value) }),
    };
  });
  const known = rows.filter((one) => one !== undefined);
  const joined = work.word("combineConditions", isGiven(work, "combineConditions") ? "" : "AND");
  if (known.length < rows.length || !/^(?:AND|OR)$/.test(joined)) return undefined;
  return joined === "OR" && known.length > 1 ? { any: known } : known;
}

const unknownCondition = unsaid("It has a condition that is not known: write it anew.");

function tableOf(work: NodeWork): string {
  const schema = work.textOf(work.at("schema"));
  const table = work.textOf(work.at("table"));
  return schema === "" || schema === "public" ? table : `${schema}.${table}`;
}

/** Values by column, as n8n's newer and older versions have them; the oldest name the fields of the item. */
function values(work: NodeWork): JsonObject {
  const named = work.word("columns");
  if (named !== "") return Object.fromEntries(listed(named).map((name) => [name, `{{${below(name)}}}`]));
  const mapped = work.at("columns", "value");
  if (isJsonObject(mapped))
    return Object.fromEntries(Object.entries(mapped).map(([name, value]) => [name, work.template(value)]));
  return Object.fromEntries(
    work.list("valuesToSend", "values").map(({ column, value }) => [String(column ?? ""), work.template(value)]),
  );
}

/** The SQL, its values for $1, $2 … and whether it only reads. */
function statementOf(work: NodeWork): JsonObject {
  const query = work.at("query");
  const given = work.at("options", "queryReplacement") ?? work.at("additionalFields", "queryParams");
  return {
    statement: work.textOf(query),
    ...(given === undefined || given === "" ? {} : { parameters: parametersOf(work, given) }),
    readOnly: onlyReads(String(query ?? "").replace(/^=/, "")),
  };
}

/** Whether SQL is one statement that reads: what cannot be told counts as writing. */
function onlyReads(sql: string): boolean {
  const plain = sql
    .replace(/\/\*[^]*?\*\/|--[^\n]*/g, " ")
    .trim()
    .replace(/;+$/, "");
  const unquoted = plain.replace(/'(?:[^']|'')*'/g, "");
  const isOne = !unquoted.includes(";");
  const writes =
    /\b(?:insert|update|delete|merge|into|analy[sz]e|for\s+(?:no\s+key\s+)?(?:update|share|key\s+share))\b/i;
  return isOne && /^(?:show|select|explain|with)\b/i.test(plain) && !writes.test(unquoted);
}

/** The values of a statement: a list that an expression gives, or values with commas between them. */
function parametersOf(work: NodeWork, given: Json): Json {
  if (typeof given !== "string") return work.template(given);
  const parts = work.partsOf(given);
  if (parts.length === 1 && parts[0] && "source" in parts[0]) {
    const made = work.text(given).slice(2, -2);
    return `{{items(${made})}}`;
  }
  // A comma within an expression parts nothing.
  const pieces = parts.flatMap((part) =>
    "text" in part ? part.text.split(/(,)/) : [work.text(`={{${part.source}}}`)],
  );
  return pieces
    .reduce<string[]>(
      (values, one) => (one === "," ? [...values, ""] : [...values.slice(0, -1), (values.at(-1) ?? "") + one]),
      [""],
    )
    .map((one) => one.trim());
}

const listed = (names: string) =>
  names
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);

/** Whether rows are deleted that the conditions find, and not all of them or the table. */
const deletesRows = (work: NodeWork) =>
  work.word("deleteCommand", isGiven(work, "deleteCommand") ? "" : "delete") === "delete";

const deletesTable = unsaid("It would delete every row or the table: write it as SQL.");

/** The rows of an insert: the items as they come, or one with values by column. */
const rowsOf = (work: NodeWork): Json =>
  [["columns", "mappingMode"], ["dataMode"]].some(
    (path) => work.choice(path, ["defineBelow", "autoMapInputData"], "defineBelow") === "autoMapInputData",
  )
    ? "{{items(json)}}"
    : [values(work)];

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
          ...statementOf(work),
        },
      };
    case "select": {
      const where = conditions(work);
      if (where === undefined) return unknownCondition;
      return {
        ...common,
        type: "postgres-select-tool",
        config: {
          ...namedTool(work, "Reads rows of a table."),
          tableName: tableOf(work),
          where,
          ...(limit === undefined ? {} : { limit: Math.min(10_000, Math.max(1, Math.round(limit))) }),
        },
      };
    }
    case "update":
      return {
        ...common,
        type: "postgres-update-tool",
        config: { ...namedTool(work, "Changes rows of a table."), tableName: tableOf(work), values: values(work) },
        outcome: "approximated",
        note: "The model gives the condition; set it if it is always the same.",
      };
    case "deleteTable":
    case "delete": {
      const where = conditions(work);
      if (where === undefined) return unknownCondition;
      if (!deletesRows(work)) return deletesTable;
      return {
        ...common,
        type: "postgres-delete-tool",
        config: { ...namedTool(work, "Deletes rows of a table."), tableName: tableOf(work), where },
      };
    }
    default:
      return {
        ...common,
        type: "postgres-insert-tool",
        config: { ...namedTool(work, "Adds rows to a table."), tableName: tableOf(work), rows: rowsOf(work) },
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
  const chosen = work.at("options", "outputColumns");
  const wanted = Array.isArray(chosen) ? chosen.map(String) : listed(work.word("returnFields"));
  work.drop(["options", "queryBatching"], "It runs once.");
  const returning = wanted.length > 0 ? wanted : ["*"];
  switch (operation) {
    case "executeQuery": {
      return made({ operation: "execute", ...statementOf(work) }, "It runs once, not once per item.");
    }
    case "select": {
      const where = conditions(work);
      if (where === undefined) return unknownCondition;
      const config: JsonObject = { operation: "select", tableName, where };
      if (limit !== undefined) config["limit"] = Math.min(10_000, Math.max(1, Math.round(limit)));
      return made(config);
    }
    case "update": {
      const { found, changed } = matched(work);
      if (found.length === 0)
        return unsaid("It does not say which rows it would change: write it anew with the condition.");
      return made({ operation: "update", tableName, values: changed, where: found, returning });
    }
    case "deleteTable":
    case "delete": {
      const where = conditions(work);
      if (where === undefined) return unknownCondition;
      if (!deletesRows(work) || (Array.isArray(where) && where.length === 0)) return deletesTable;
      return made({ operation: "delete", tableName, where, returning });
    }
    case "upsert": {
      const statement = upsertSql(tableName, values(work), keysOf(work));
      if (statement === undefined)
        return unsaid(
          "It adds a row or changes one by fields that are known only when it runs: write it as SQL with ON CONFLICT.",
        );
      return made({ operation: "execute", statement, readOnly: false });
    }
    default:
      work.drop(["columns", "matchingColumns"], "A new row is added to those that are there.");
      if (work.flag(["options", "skipOnConflict"])) {
        const statement = upsertSql(tableName, values(work), [], false);
        if (statement !== undefined) return made({ operation: "execute", statement, readOnly: false });
      }
      return made({ operation: "insert", tableName, rows: rowsOf(work), returning });
  }
}

/** The columns that find the row. */
function keysOf(work: NodeWork): string[] {
  const keys = work.at("columns", "matchingColumns");
  return Array.isArray(keys) ? keys.map(String) : [];
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
