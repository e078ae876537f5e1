import { isJsonObject, type Json, type JsonObject, readJson } from "../../../engine/json.ts";
import type { Where } from "./condition.ts";
import { whereSchema } from "./condition.ts";
import { saysNothing } from "./says-nothing.ts";

/** A condition as a request takes it, or what is wrong with it; `where` undefined where there is none. */
type ReadWhere = { ok: true; where: Where | undefined } | { ok: false; problem: string };

const shape = "Write a list of { column, operator, value }, a group { any: […] } or { all: […] }, or SQL.";

/** A condition that came as text is SQL, unless it is JSON, which models like to send as text. */
function fromText(text: string): Json {
  if (/^\s*[[{]/.test(text)) {
    try {
      return readJson(text);
    } catch {
      return { sql: text, parameters: [] };
    }
  }
  return { sql: text, parameters: [] };
}

/** Reads what stands in a `where`: structured conditions, a SQL fragment with or without parameters, or its text. */
function readWhere(value: unknown): ReadWhere {
  const json = typeof value === "string" ? fromText(value) : value;
  if (json === undefined || json === null || (Array.isArray(json) && json.length === 0)) {
    return { ok: true, where: undefined };
  }
  if (isJsonObject(json) && (saysNothing(json) || (typeof json["sql"] === "string" && saysNothing(json["sql"])))) {
    return { ok: true, where: undefined };
  }
  const read = whereSchema.safeParse(json);
  return read.success ? { ok: true, where: read.data } : { ok: false, problem: shape };
}

/** The `where` of a request: the author's, or what the model gave in its place, one way or the other. */
export function readRequestWhere(
  own: unknown,
  given: JsonObject,
): { ok: true; part: { where?: Json } } | { ok: false; problem: string } {
  const { where, whereSql } = given;
  if (where !== undefined && !saysNothing(where) && whereSql !== undefined && !saysNothing(whereSql)) {
    return { ok: false, problem: "Give where or whereSql, not both." };
  }
  const asked = saysNothing(whereSql) ? where : whereSql;
  const read = readWhere(asked ?? own);
  if (!read.ok) return read;
  return { ok: true, part: read.where === undefined ? {} : { where: read.where } };
}
