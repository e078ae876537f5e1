import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../../engine/json.ts";

export const shapeTypes = ["string", "number", "integer", "boolean", "array", "object"] as const;

type ShapeType = (typeof shapeTypes)[number];

/** What a value may be, as far as the builder can show it. */
export interface Shape {
  type: ShapeType;
  /** Of a text: the only values allowed; absent = any. */
  options?: readonly string[];
  /** Of an object: its fields. */
  fields?: readonly SchemaRow[];
  /** Of a list: what each item is. */
  items?: Shape;
}

/** One named value, as a line of the builder. */
export interface SchemaRow extends Shape {
  name: string;
  description: string;
  required: boolean;
}

const objectKeys = new Set(["type", "properties", "required", "additionalProperties"]);

function optionsFrom(value: Json): string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const texts = value.filter((option) => typeof option === "string");
  return texts.length === value.length ? texts : null;
}

/** A schema as a shape; null when it says more than a shape can. */
function shapeFrom(schema: Json | undefined): Shape | null {
  if (!isJsonObject(schema)) return null;
  const type = shapeTypes.find((each) => each === schema["type"]);
  if (type === undefined) return null;
  if (type === "object") {
    const fields = Object.keys(schema).length === 1 ? [] : rowsFrom(schema);
    return fields && { type, fields };
  }
  const { type: _type, ...rest } = schema;
  if (Object.keys(rest).length === 0) return { type };
  if (type === "string" && "enum" in rest && Object.keys(rest).length === 1) {
    const options = optionsFrom(rest["enum"] ?? null);
    return options && { type, options };
  }
  if (type === "array" && Object.keys(rest).length === 1) {
    const items = shapeFrom(rest["items"]);
    return items && { type, items };
  }
  return null;
}

function rowFrom(name: string, schema: Json, required: readonly Json[]): SchemaRow | null {
  if (!isJsonObject(schema)) return null;
  const { description = "", ...rest } = schema;
  const shape = shapeFrom(rest);
  if (shape === null || typeof description !== "string") return null;
  return { name, description, required: required.includes(name), ...shape };
}

/** A schema of an object as rows; null when it says more than rows can show, so that it has to be edited as JSON. */
export function rowsFrom(schema: Json | undefined): SchemaRow[] | null {
  if (!isJsonObject(schema) || Object.keys(schema).some((key) => !objectKeys.has(key))) return null;
  const { type, properties = {}, required = [], additionalProperties = false } = schema;
  if (type !== "object" || !isJsonObject(properties) || !Array.isArray(required) || additionalProperties !== false) {
    return null;
  }
  const rows = Object.entries(properties).map(([name, inner]) => rowFrom(name, inner, required));
  return rows.every((row) => row !== null) ? rows : null;
}

function shapeTo({ type, options, fields, items }: Shape): JsonObject {
  if (type === "object") return fields === undefined || fields.length === 0 ? { type } : schemaFrom(fields);
  if (type === "string" && options !== undefined && options.length > 0) return { type, enum: [...options] };
  if (type === "array" && items !== undefined) return { type, items: shapeTo(items) };
  return { type };
}

/** Rows as a schema. Rows without a name are left out; of two with one name the last counts. */
export function schemaFrom(rows: readonly SchemaRow[]): JsonSchema {
  const named = rows.filter(({ name }) => name.trim() !== "");
  const properties: JsonObject = {};
  for (const row of named) {
    const { description } = row;
    properties[row.name.trim()] = { ...shapeTo(row), ...(description === "" ? {} : { description }) };
  }
  const required = [...new Set(named.filter((row) => row.required).map(({ name }) => name.trim()))];
  return { type: "object", properties, required, additionalProperties: false };
}
