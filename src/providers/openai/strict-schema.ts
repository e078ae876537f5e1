import { type ExactJson, isJsonObject, type JsonSchema } from "../../engine/json.ts";
import type { ExactSchema } from "../../engine/json-schema/bare-integers.ts";

const known = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "const",
  "anyOf",
  "description",
  "title",
  "$ref",
  "$defs",
]);

/**
 * Whether OpenAI's structured outputs take the schema in strict mode: every object closed, every property required,
 * and only keywords that the mode knows. Any other schema is sent with `strict: false`, which never makes the call fail.
 */
export function isStrictSchema(schema: ExactSchema): boolean {
  return schema.type === "object" && allStrict(schema);
}

function allStrict(value: ExactJson | undefined): boolean {
  if (!isJsonObject(value)) return false;
  if (Object.keys(value).some((key) => !known.has(key))) return false;
  if (value.type === "object" && !closedObject(value)) return false;
  const children = [value.properties, value.$defs].flatMap((map) => (isJsonObject(map) ? Object.values(map) : []));
  if (value.items !== undefined) children.push(value.items);
  if (Array.isArray(value.anyOf)) children.push(...value.anyOf);
  return children.every(allStrict);
}

function closedObject(schema: JsonSchema): boolean {
  if (schema.additionalProperties !== false || !isJsonObject(schema.properties)) return false;
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.keys(schema.properties).every((name) => required.includes(name));
}
