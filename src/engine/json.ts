import { parseLosslessJson, parseWithBigInts, stringifyWithBigInts } from "./lossless-json.ts";

/** Any value that JSON can carry. Main edges, run events and stored messages hold nothing else. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object: string keys, JSON values. */
export interface JsonObject {
  [key: string]: Json;
}

/** JSON whose large integers are bigints: on its way into a text that has them as bare numbers. */
export type ExactJson = Json | bigint | ExactJson[] | { [key: string]: ExactJson };

/** A JSON Schema (draft 2020-12 subset) as models and validators read it. */
export type JsonSchema = JsonObject;

/** True for objects that are neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The value that a text from outside holds: a large integer as the text of its digits, see `parseLosslessJson`. Throws a
 * SyntaxError for what is no JSON.
 */
export function readJson(text: string): Json {
  return parseLosslessJson(text) as Json;
}

/** As `parseJson`, with large integers as bigints, which `exactText` writes back as they were. */
export function parseExactJson(text: string): ExactJson | undefined {
  try {
    return parseWithBigInts(text) as ExactJson;
  } catch {
    return undefined;
  }
}

/** JSON text in which bigints, wherever the value holds some, are bare numbers. */
export function exactText(value: ExactJson | object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Of bigints alone; most values hold none, and need not be looked through for them.
    if (!(error instanceof TypeError)) throw error;
    return stringifyWithBigInts(value);
  }
}

/** The value; where it holds bigints, which no JSON value can, its text. */
export function valueOrExactText(value: ExactJson): Json {
  return holdsBigInt(value) ? stringifyWithBigInts(value) : (value as Json);
}

function holdsBigInt(value: ExactJson): boolean {
  if (typeof value === "bigint") return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsBigInt);
}

/** As `readJson`; undefined where the text is no JSON, which no value is. */
export function parseJson(text: string): Json | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** The value that a text holds, or the text itself where it is no JSON. */
export function jsonOrText(text: string): Json {
  const value = parseJson(text);
  return value === undefined ? text : value;
}
