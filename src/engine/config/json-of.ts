import { isJsonObject, type Json } from "../json.ts";

/** A value as JSON, or undefined when it is none (a function, undefined, NaN). Plain JSON comes back as it is. */
export function jsonOf(value: unknown): Json | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) return value.every((item) => jsonOf(item) !== undefined) ? value : undefined;
  if (isJsonObject(value)) return Object.values(value).every((item) => jsonOf(item) !== undefined) ? value : undefined;
  return undefined;
}
