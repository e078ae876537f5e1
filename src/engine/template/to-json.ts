import { Optional } from "@marcbachmann/cel-js";
import { type ExactJson, isJsonObject, type Json, type JsonObject } from "../json.ts";
import { jsonInteger } from "../lossless-json.ts";

/** Why a value of an expression is none that JSON has. */
export class NoJson extends Error {}

/**
 * What an expression gave, as JSON: whole numbers become numbers (text when they are too large to be exact), times
 * ISO 8601 text, durations text such as `90s`, bytes base64 text. Data that is JSON already comes back as it is, not
 * copied. Throws NoJson for the rest: infinity, types, functions.
 */
export function toJson(value: unknown): Json {
  return convert(value, jsonInteger) as Json;
}

/** As `toJson`, but whole numbers that are too large to be exact stay bigints. */
export function toExactJson(value: unknown): ExactJson {
  return convert(value, (integer) => (typeof jsonInteger(integer) === "number" ? Number(integer) : integer));
}

type IntegerOf = (value: bigint) => ExactJson;

function convert(value: unknown, integerOf: IntegerOf): ExactJson {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (Number.isFinite(value)) return value;
      throw new NoJson(`The result is ${Number.isNaN(value) ? "not a number" : "infinite"}.`);
    case "bigint":
      return integerOf(value);
    case "object":
      return value === null ? null : convertObject(value, integerOf);
    default:
      throw new NoJson(`The result is a ${typeof value}.`);
  }
}

function convertObject(value: object, integerOf: IntegerOf): ExactJson {
  if (Array.isArray(value)) return convertedList(value, integerOf) ?? value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Optional) {
    if (value.hasValue()) return convert(value.value(), integerOf);
    throw new NoJson("The optional value is absent; add .orValue(…).");
  }
  if (value instanceof Uint8Array) return btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join(""));
  const prototype: unknown = Object.getPrototypeOf(value);
  const plain = prototype === null || (typeof prototype === "object" && Object.getPrototypeOf(prototype) === null);
  if (plain && isJsonObject(value)) return convertRecord(value, integerOf);
  const text = String(value);
  if (/^-?\d+(\.\d+)?s?$/.test(text)) return text.endsWith("s") ? text : Number(text);
  throw new NoJson("The result is a type and not a value.");
}

/** The list with every item as JSON, or undefined when all are JSON already. */
function convertedList(list: readonly unknown[], integerOf: IntegerOf): ExactJson[] | undefined {
  let changed = false;
  const copy = list.map((item) => {
    const json = convert(item, integerOf);
    if (json !== item) changed = true;
    return json;
  });
  return changed ? copy : undefined;
}

function convertRecord(record: JsonObject, integerOf: IntegerOf): ExactJson {
  let copy: Record<string, ExactJson> | undefined;
  for (const [key, item] of Object.entries(record)) {
    const json = convert(item, integerOf);
    if (json === item) continue;
    copy ??= { ...record };
    copy[key] = json;
  }
  return copy ?? record;
}
