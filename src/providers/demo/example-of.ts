import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../../engine/json.ts";

function numberOf(schema: JsonSchema): number {
  const { minimum, exclusiveMinimum, maximum } = schema;
  if (typeof minimum === "number") return Math.ceil(minimum);
  if (typeof exclusiveMinimum === "number") return Math.floor(exclusiveMinimum) + 1;
  return typeof maximum === "number" && maximum < 1 ? Math.floor(maximum) : 1;
}

function textOf(schema: JsonSchema, text: string): string {
  const { minLength, maxLength } = schema;
  const padded = typeof minLength === "number" ? text.padEnd(minLength, ".") : text;
  return typeof maxLength === "number" ? padded.slice(0, maxLength) : padded;
}

function objectOf(schema: JsonSchema, text: string, depth: number): JsonObject {
  const { properties } = schema;
  const result: JsonObject = {};
  if (isJsonObject(properties))
    for (const [name, each] of Object.entries(properties))
      result[name] = isJsonObject(each) ? exampleOf(each, text, depth + 1) : null;
  return result;
}

/** A small value that fits a JSON Schema of the usual kind; `text` goes where a string is wanted. */
export function exampleOf(schema: JsonSchema, text: string, depth = 0): Json {
  if (schema["const"] !== undefined) return schema["const"];
  if (schema["default"] !== undefined) return schema["default"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0] ?? null;
  if (depth > 20) return null;
  const alternatives = schema["anyOf"] ?? schema["oneOf"];
  const first: Json | undefined = Array.isArray(alternatives) ? alternatives[0] : undefined;
  if (isJsonObject(first)) return exampleOf(first, text, depth + 1);
  const type = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  switch (type) {
    case "string":
      return textOf(schema, text);
    case "number":
    case "integer":
      return numberOf(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array": {
      const { items, minItems } = schema;
      const count = typeof minItems === "number" ? Math.min(minItems, 20) : 1;
      return isJsonObject(items) ? Array.from({ length: count }, () => exampleOf(items, text, depth + 1)) : [];
    }
    default:
      return objectOf(schema, text, depth);
  }
}
