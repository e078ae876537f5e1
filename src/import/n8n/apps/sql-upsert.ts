import type { Json, JsonObject } from "../../../engine/json.ts";
import { expressionOf } from "./request.ts";

const name = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** A value as an expression, whose result the database takes as a parameter. */
function bound(value: Json): string {
  if (value === null) return "null";
  if (typeof value === "string") return `{{${expressionOf(value)}}}`;
  return `{{${typeof value === "object" ? `toJson(${JSON.stringify(value)})` : JSON.stringify(value)}}}`;
}

/**
 * Adds a row, or changes the one with the same keys (www.postgresql.org/docs/current/sql-insert.html). Undefined where names are
 * not known before the run, or there is no key or value.
 */
export function upsertSql(
  table: string,
  values: JsonObject,
  keys: readonly string[],
  changes = true,
): string | undefined {
  const columns = Object.keys(values);
  if (table === "" || columns.length === 0 || (changes && keys.length === 0)) return undefined;
  if ([table, ...columns, ...keys].some((one) => one.includes("{{"))) return undefined;
  const others = columns.filter((one) => !keys.includes(one));
  const set = others.map((one) => `${name(one)} = excluded.${name(one)}`).join(", ");
  const target = keys.length === 0 ? "" : ` (${keys.map(name).join(", ")})`;
  const rest = changes && set !== "" ? `do update set ${set}` : "do nothing";
  const into = table.split(".").map(name).join(".");
  const given = columns.map((one) => bound(values[one] ?? null)).join(", ");
  return `insert into ${into} (${columns.map(name).join(", ")}) values (${given}) on conflict${target} ${rest} returning *`;
}
