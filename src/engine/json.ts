/** Any value that JSON can carry. Main edges, run events and stored messages hold nothing else. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object: string keys, JSON values. */
export interface JsonObject {
  [key: string]: Json;
}

/** A JSON Schema (draft 2020-12 subset) as models and validators read it. */
export type JsonSchema = JsonObject;

/** True for objects that are neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value that a text holds; undefined where it is no JSON, which no value is. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The value that a text holds, or the text itself where it is no JSON. */
export function jsonOrText(text: string): Json {
  const value = parseJson(text);
  return value === undefined ? text : value;
}
