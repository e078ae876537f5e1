import type { z } from "zod/mini";
import type { Json, JsonObject } from "../json.ts";
import { describeFields, type FieldDescription } from "./describe-fields.ts";

/** The config of a fresh node: every field that has a default. */
export function defaultConfig(schema: z.ZodMiniObject): JsonObject {
  const config: JsonObject = {};
  for (const field of describeFields(schema)) {
    if (field.default !== undefined) config[field.name] = structuredClone(field.default);
  }
  return config;
}

/** True for what an empty input leaves behind. */
export function isBlank(value: Json | undefined): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

/** Whether a field shows for this config: its `visibleWhen` holds, also by the other field's default. */
export function isVisible(field: FieldDescription, fields: readonly FieldDescription[], config: JsonObject): boolean {
  const rule = field.visibleWhen;
  if (!rule) return true;
  const value = config[rule.field] ?? fields.find((other) => other.name === rule.field)?.default;
  return (typeof value === "string" || typeof value === "boolean") && rule.in.includes(value);
}

/** What a config says of a field, or its default. */
export function valueOf(field: FieldDescription, raw: JsonObject): Json | undefined {
  const value = raw[field.name];
  return value === undefined ? field.default : value;
}
