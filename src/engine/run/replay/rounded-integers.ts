import { canonicalJson } from "../../canonical-json.ts";
import { isJsonObject, type Json } from "../../json.ts";
import { isLargeInteger } from "../../lossless-json.ts";

/**
 * Recordings of before large integers kept their digits hold them as doubles. What is asked now has the digits, and is the same
 * where these round to what was recorded.
 */
export function isRoundedFrom(recorded: Json, now: Json): boolean {
  return holdsRounded(recorded) && roundedKey(recorded) === roundedKey(now);
}

/** Whether a value holds an integer that may have been rounded. */
export function holdsRounded(value: Json): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (Array.isArray(value)) return value.some(holdsRounded);
  return isJsonObject(value) && Object.values(value).some(holdsRounded);
}

/** A value as text in which all large integers are doubles. */
export function roundedKey(value: Json): string {
  return canonicalJson(rounded(value));
}

function rounded(value: Json): Json {
  if (isLargeInteger(value)) return Number(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rounded(inner)]));
}
