import type { z } from "zod/mini";
import type { Json, JsonObject } from "../json.ts";
import { describeFields, type FieldDescription } from "./describe-fields.ts";

/** The config of a fresh node: every field that has a default, or a value to start with. */
export function defaultConfig(schema: z.ZodMiniObject): JsonObject {
  const config: JsonObject = {};
  for (const field of describeFields(schema)) {
    const value = field.startsAs ?? field.default;
    if (value !== undefined) config[field.name] = structuredClone(value);
  }
  return config;
}

/** A config as it runs: what it leaves out has its default, whatever fresh nodes start with. */
export function filledConfig(schema: z.ZodMiniObject, raw: JsonObject): JsonObject {
  const filled = { ...raw };
  for (const field of describeFields(schema)) {
    const value = valueOf(field, raw);
    if (value !== undefined) filled[field.name] = structuredClone(value);
  }
  return filled;
}

/** True for what an empty input leaves behind. */
export function isBlank(value: Json | undefined): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

/** Whether a field shows for this config: its `visibleWhen` holds, also by the other field's default. */
export function isVisible(field: FieldDescription, fields: readonly FieldDescription[], config: JsonObject): boolean {
  const rule = field.visibleWhen;
  if (!rule) return true;
  const other = fields.find(({ name }) => name === rule.field);
  const value = config[rule.field] ?? (other && valueOf(other, config));
  return (typeof value === "string" || typeof value === "boolean") && rule.in.includes(value);
}

/** What a config says of a field, or its default. */
export function valueOf(field: FieldDescription, raw: JsonObject): Json | undefined {
  const value = raw[field.name];
  return value === undefined ? (impliedValue(field, raw) ?? field.default) : value;
}

/** A config with what its filled fields imply of others that are absent. The same config where there is nothing of the kind. */
export function withImplied(fields: readonly FieldDescription[], raw: JsonObject): JsonObject {
  const implied = fields.flatMap((field): [string, Json][] => {
    const value = raw[field.name] === undefined ? impliedValue(field, raw) : undefined;
    return value === undefined ? [] : [[field.name, value]];
  });
  return implied.length === 0 ? raw : { ...raw, ...Object.fromEntries(implied) };
}

function impliedValue({ impliedBy }: FieldDescription, raw: JsonObject): Json | undefined {
  return impliedBy?.fields.some((name) => isFilled(raw[name])) ? impliedBy.value : undefined;
}

/** Whether a field says something: neither blank nor an empty list or object. */
function isFilled(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return !isBlank(value) && (typeof value !== "object" || value === null || Object.keys(value).length > 0);
}
