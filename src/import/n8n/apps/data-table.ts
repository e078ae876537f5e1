import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";
import { lookup } from "../../lookup.ts";
import type { Made } from "../made.ts";
import type { NodeWork } from "../node-work.ts";
import { unsaid } from "./request.ts";

const comparisons: Readonly<Record<string, string>> = {
  eq: "=",
  neq: "<>",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  like: "like",
  ilike: "ilike",
  isEmpty: "is null",
  isNotEmpty: "is not null",
};

/** The table's name; n8n keeps its own number of it, and the name beside it. */
function tableOf(work: NodeWork): string {
  const locator = work.node.parameters.raw.dataTableId;
  const value = work.textOf(work.at("dataTableId"));
  const name = isJsonObject(locator) && typeof locator.cachedResultName === "string" ? locator.cachedResultName : "";
  return name === "" ? value : name;
}

/** The conditions; undefined where one is not known. */
function conditionsOf(work: NodeWork): Json | undefined {
  const rows = work.list("filters", "conditions").map((row): JsonObject | undefined => {
    const condition = String(row.condition ?? "eq");
    if (condition === "isTrue" || condition === "isFalse")
      return { column: work.textOf(row.keyName), operator: "=", value: condition === "isTrue" };
    const operator = lookup(comparisons, condition);
    if (operator === undefined) return undefined;
    return {
      column: work.textOf(row.keyName),
      operator,
      ...(operator.startsWith("is") ? {} : { value: work.template(row.keyValue ?? null) }),
    };
  });
  if (rows.some((one) => one === undefined)) return undefined;
  const known = rows.filter((one) => one !== undefined);
  return work.word("matchType", "anyCondition") === "allConditions" || known.length < 2 ? known : { any: known };
}

function valuesOf(work: NodeWork): JsonObject | undefined {
  if (work.word(["columns", "mappingMode"], "defineBelow") === "autoMapInputData") {
    work.drop(["columns", "value"], "The fields of the input go in instead.");
    return undefined;
  }
  const values = work.at("columns", "value");
  work.drop(["columns", "matchingColumns"], "The conditions find the rows.");
  return Object.fromEntries(
    (isJsonObject(values) ? Object.entries(values) : [])
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, work.template(value)]),
  );
}

const isNone = (where: Json) => Array.isArray(where) && where.length === 0;

/** n8n's own tables, as tables of Postgres with the same names and columns. */
export function dataTable(work: NodeWork, tool: boolean): Made {
  const made = (operation: string, config: JsonObject): Made => ({
    type: tool ? `postgres-${operation}-tool` : "postgres",
    config: { ...(tool ? {} : { operation, result: "rows" }), tableName: tableOf(work), ...config },
    ...(tool ? { output: () => "tool" } : {}),
    outcome: "approximated",
    note: "n8n’s own table is one of Postgres here: create it with the same name and columns.",
    needs: "a Postgres credential",
  });
  if (work.word("resource", "row") !== "row") return unsaid("Create, change and delete tables in the database itself.");
  const where = conditionsOf(work);
  if (where === undefined) return unsaid("It has a condition that is not known: write it anew.");
  const most = work.number("limit");
  const returning = ["*"];
  switch (work.word("operation", "insert")) {
    case "get":
    case "rowExists":
    case "rowNotExists": {
      const limit = work.word("operation") === "get" ? (work.flag("returnAll") ? 10_000 : (most ?? 50)) : 1;
      return made("select", { where, limit: Math.min(10_000, Math.max(1, Math.round(limit))) });
    }
    case "insert": {
      const values = valuesOf(work);
      return made("insert", {
        rows: values === undefined ? "{{items(json)}}" : [values],
        ...(tool ? {} : { returning }),
      });
    }
    case "update":
    case "upsert": {
      const values = valuesOf(work);
      if (work.word("operation") === "upsert")
        return unsaid("It changes rows or adds one: use Execute SQL with ON CONFLICT.");
      if (isNone(where)) return unsaid("It has no condition and would change every row.");
      return made("update", { values: values ?? "{{json}}", where, ...(tool ? {} : { returning }) });
    }
    case "deleteRows":
      return isNone(where)
        ? unsaid("It has no condition and would delete every row.")
        : made("delete", { where, ...(tool ? {} : { returning }) });
    default:
      return unsaid("This operation on a table is not known.");
  }
}
