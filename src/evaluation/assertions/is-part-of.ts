import { isJsonObject, type Json } from "../../engine/json.ts";

/** Whether every field of one value is in the other with the same value, at any depth. */
export function isPartOf(part: Json, whole: Json | undefined): boolean {
  if (whole === undefined) return false;
  if (isJsonObject(part)) {
    return (
      isJsonObject(whole) &&
      Object.entries(part).every(([key, inner]) => isPartOf(inner, Object.hasOwn(whole, key) ? whole[key] : undefined))
    );
  }
  if (Array.isArray(part)) {
    return (
      Array.isArray(whole) && part.length === whole.length && part.every((inner, at) => isPartOf(inner, whole[at]))
    );
  }
  return part === whole;
}
