import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../../engine/json.ts";

export const parameterTypes = ["string", "number", "integer", "boolean", "array", "object"] as const;

export type ParameterType = (typeof parameterTypes)[number];

/** One argument of a tool, as a line of the simple editor. */
export interface ParameterRow {
  name: string;
  type: ParameterType;
  description: string;
  required: boolean;
}

const knownKeys = new Set(["type", "properties", "required", "additionalProperties"]);

function parameterType(value: Json | undefined): ParameterType | undefined {
  return parameterTypes.find((type) => type === value);
}

function rowFrom(name: string, schema: Json, required: readonly Json[]): ParameterRow | null {
  if (!isJsonObject(schema)) return null;
  const { type: typeName, description = "", ...rest } = schema;
  const type = parameterType(typeName);
  if (type === undefined || typeof description !== "string" || Object.keys(rest).length > 0) return null;
  return { name, type, description, required: required.includes(name) };
}

/** A schema as rows; null when it says more than rows can show, so that it has to be edited as JSON. */
export function rowsFrom(schema: Json | undefined): ParameterRow[] | null {
  if (!isJsonObject(schema) || Object.keys(schema).some((key) => !knownKeys.has(key))) return null;
  const { properties = {}, required = [] } = schema;
  if (!isJsonObject(properties) || !Array.isArray(required) || schema["type"] !== "object") return null;
  const rows = Object.entries(properties).map(([name, inner]) => rowFrom(name, inner, required));
  return rows.every((row) => row !== null) ? rows : null;
}

/** Rows as a schema. Rows without a name are left out; of two with one name the last counts. */
export function schemaFrom(rows: readonly ParameterRow[]): JsonSchema {
  const named = rows.filter(({ name }) => name.trim() !== "");
  const properties: JsonObject = {};
  for (const { name, type, description } of named) {
    properties[name.trim()] = description === "" ? { type } : { type, description };
  }
  const required = [...new Set(named.filter((row) => row.required).map(({ name }) => name.trim()))];
  return { type: "object", properties, required, additionalProperties: false };
}
