import { z } from "zod/mini";
import type { Json } from "../json.ts";

/**
 * A config field that takes any JSON value. Only the outermost type is checked: config comes from a document that was
 * read as JSON, and templates insert JSON, however large.
 */
export function jsonValue() {
  return z.custom<Json>((value) => value !== undefined && typeof value !== "function" && typeof value !== "bigint");
}
