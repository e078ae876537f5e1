import { isJsonObject, type Json, parseJson } from "../../../engine/json.ts";

/** A text with the values and keys in it masked where it is JSON, which it then still is; any other text as it is. */
export function maskJsonText(text: string, mask: (text: string) => string): string {
  const data = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  if (data === undefined) return text;
  const masked = maskedValue(data, mask);
  return JSON.stringify(masked) === JSON.stringify(data) ? text : JSON.stringify(masked, null, 2);
}

/** A number that is masked becomes a text. */
function maskedValue(value: Json, mask: (text: string) => string): Json {
  if (typeof value === "string") return mask(value);
  if (typeof value === "number") {
    const text = String(value);
    const masked = mask(text);
    return masked === text ? value : masked;
  }
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, mask));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [mask(key), maskedValue(inner, mask)]));
}
