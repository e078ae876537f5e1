import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import type { SchemaCheck } from "../../json-schema/schema-verdict.ts";

/** Arguments that fit, or why not, in words for the model. `input` is what the log shows. */
type ParsedArguments = { ok: true; input: JsonObject } | { ok: false; input: Json; reason: string };

/** Reads the arguments of a call: JSON text (nothing counts as `{}`), an object, fitting the schema. */
export async function parseArguments(text: string, check: SchemaCheck): Promise<ParsedArguments> {
  let value: Json;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { ok: false, input: text, reason: `The arguments are not valid JSON (${cause}). Send one JSON object.` };
  }
  if (!isJsonObject(value)) {
    const kind = value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
    return { ok: false, input: value, reason: `The arguments are ${kind}. Send one JSON object.` };
  }
  const checked = await check(value);
  return checked.ok ? { ok: true, input: value } : { ok: false, input: value, reason: checked.reason };
}

/** The arguments for the log: parsed if they are JSON, otherwise as text. */
export function shownInput(text: string): Json {
  if (text.trim() === "") return {};
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}
