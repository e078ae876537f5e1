import type { Json, JsonObject } from "../../../engine/json.ts";
import type { NodeWork } from "../node-work.ts";
import type { Made } from "../made.ts";
import type { Service } from "../services.ts";
import { asText, type AppMapper, expressionOf, given, present, segment, templated, unsaid } from "./request.ts";

const operators = new Set(["eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "is"]);
const searches = new Set(["fts", "plfts", "phfts", "wfts"]);

/** A condition of PostgREST: column, operator and the value as a template. */
interface Condition {
  column: string;
  operator: string;
  value: string;
}

/** Why a condition cannot be kept. */
class Unknown extends Error {}

function conditionOf(work: NodeWork, row: JsonObject, onlyEqual: boolean): Condition {
  const column = work.textOf(row.keyName);
  if (column === "" || column.includes("{{")) throw new Unknown("a condition has no fixed column");
  const given = onlyEqual ? "eq" : String(row.condition ?? "");
  const operator = given === "fullText" ? String(row.searchFunction ?? "") : given;
  if (!(given === "fullText" ? searches : operators).has(operator))
    throw new Unknown(`the condition on ${column} has no operator that the API knows (“${operator}”)`);
  return { column, operator, value: work.textOf(row.keyValue) };
}

/** Within and() and or() a value stands in quotes, so that commas and brackets in it stay part of it. */
function quotedValue({ operator, value }: Condition): string {
  if (operator === "is") return value;
  if (!value.includes("{{")) return /^[\w.*%-]*$/.test(value) ? value : `"${value.replace(/(["\\])/g, "\\$1")}"`;
  return `"{{replacePattern(text(${expressionOf(value)}), "([\\"\\\\\\\\])", "\\\\$1", "g")}}"`;
}

/** The query of n8n's filters; undefined where there is none. Throws Unknown for what cannot be kept. */
function filterOf(work: NodeWork, operation: string): JsonObject | undefined {
  const type = operation === "get" ? "manual" : work.word("filterType", operation === "getAll" ? "none" : "manual");
  if (type === "none") return undefined;
  if (type === "string") return filterText(work.at("filterString"), work);
  if (type !== "manual") throw new Unknown(`its filter is chosen by “${type}”`);
  const rows = work.list("filters", "conditions");
  if (rows.length === 0) {
    if (work.at("filters", "conditions") !== undefined && !Array.isArray(work.at("filters", "conditions")))
      throw new Unknown("its conditions are worked out as a whole");
    return undefined;
  }
  const conditions = rows.map((row) => conditionOf(work, row, operation === "get"));
  const match = operation === "get" ? "allFilters" : (work.at("matchType") ?? "anyFilter");
  if (match !== "allFilters" && match !== "anyFilter") throw new Unknown("how its conditions are joined is worked out");
  if (match === "anyFilter" && conditions.length > 1) {
    return { or: `(${conditions.map((one) => `${one.column}.${one.operator}.${quotedValue(one)}`).join(",")})` };
  }
  return rowsByName(conditions.map(({ column, operator, value }) => [column, `${operator}.${value}`]));
}

/** n8n's filter as text: a query such as `age=gt.5&name=eq.Ada`. */
function filterText(source: Json | undefined, work: NodeWork): JsonObject | undefined {
  const raw = typeof source === "string" ? source.trim() : "";
  const text = raw.replace(/^=/, "").trim();
  if (text === "") return undefined;
  const pairs = text.split("&").map((pair): [string, string] => {
    const [, name = "", value = ""] = /^\s*([^={}]+)=([^]*)$/.exec(pair) ?? [];
    const isWhole = (value.match(/\{\{/g) ?? []).length === (value.match(/\}\}/g) ?? []).length;
    if (name === "" || !isWhole) throw new Unknown("its filter is worked out as a whole");
    return [decoded(name), work.text(raw.startsWith("=") ? `=${value}` : value)];
  });
  return rowsByName(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return text.trim();
  }
}

/** A name that stands there several times has a row for each. */
function rowsByName(pairs: readonly (readonly [string, string])[]): JsonObject {
  const rows: JsonObject = {};
  for (const [name, value] of pairs) rows[name] = Object.hasOwn(rows, name) ? [rows[name] ?? "", value].flat() : value;
  return rows;
}

/** The row that is written: the fields that are set, or the input without those that are left out. */
function rowOf(work: NodeWork): Json {
  const how = String(work.at("dataToSend") ?? "defineBelow").replace(/^=/, "");
  if (how === "autoMapInputData") {
    const left = work
      .word("inputsToIgnore")
      .split(",")
      .map((one) => one.trim())
      .filter(Boolean);
    return left.length === 0 ? "{{json}}" : `{{without(json, ${left.map((one) => JSON.stringify(one)).join(", ")})}}`;
  }
  const rows = work.list("fieldsUi", "fieldValues");
  return Object.fromEntries(rows.map(({ fieldId, fieldValue }) => [work.textOf(fieldId), work.template(fieldValue)]));
}

const profile = (work: NodeWork, name: string): Record<string, string> => {
  const schema = work.flag("useCustomSchema") ? given(work, "schema") : undefined;
  return schema === undefined ? {} : { [name]: asText(schema) };
};

const table = (work: NodeWork) => `/${segment(work, "tableId")}`;
const changed = { Prefer: "return=representation" };

const create: AppMapper = (work) => ({
  method: "POST",
  path: table(work),
  headers: { ...changed, ...profile(work, "Content-Profile") },
  body: rowOf(work),
});

/** A request for the rows that the filter finds; a write without its condition would reach every row. */
const onRows =
  (operation: "get" | "getAll" | "update" | "delete", method: "GET" | "PATCH" | "DELETE"): AppMapper =>
  (work): ReturnType<AppMapper> | Made => {
    const writes = method !== "GET";
    try {
      const filter = filterOf(work, operation);
      if (filter === undefined && writes)
        return unsaid(`It has no condition and would ${operation} every row: write it anew with the condition.`);
      const most = work.flag("returnAll") ? undefined : (templated(work, work.at("limit")) ?? 50);
      return {
        method,
        path: table(work),
        headers: { ...(writes ? changed : {}), ...profile(work, writes ? "Content-Profile" : "Accept-Profile") },
        query: { ...filter, ...(operation === "getAll" ? present({ limit: most }) : {}) },
        ...(method === "PATCH" ? { body: rowOf(work) } : {}),
      };
    } catch (error) {
      if (!(error instanceof Unknown)) throw error;
      return unsaid(`Its condition cannot be kept, since ${error.message}. Write it anew with the condition.`);
    }
  };

/** Rows of Supabase through PostgREST (docs.postgrest.org/en/stable/references/api/tables_views.html). */
export const supabase: Service = {
  base: "https://<your-project>.supabase.co/rest/v1",
  connector: "supabase",
  needs: "the project’s key, and write its name into the address",
  usual: { resource: "row", operation: "create" },
  calls: {
    "row.create": create,
    "row.get": onRows("get", "GET"),
    "row.getAll": onRows("getAll", "GET"),
    "row.update": onRows("update", "PATCH"),
    "row.delete": onRows("delete", "DELETE"),
  },
};
