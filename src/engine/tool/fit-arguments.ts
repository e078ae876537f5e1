import { isJsonObject, type Json, type JsonObject, type JsonSchema, readJson } from "../json.ts";
import { applying, itemSchema, propertySchema, typesOf } from "../json-schema/schema-places.ts";
import { isLargeInteger } from "../lossless-json.ts";

/**
 * Arguments in the types that the schema wants, where models write them otherwise: `null` for an optional one that takes no
 * null is left out, and a text that holds the JSON of what is wanted becomes that. Everything else stays as it is, to be
 * checked. Digits beyond what a double holds stay text.
 */
export function fitArguments(input: JsonObject, schema: JsonSchema): JsonObject {
  const fitted = fit(input, [schema], schema);
  return isJsonObject(fitted) ? fitted : input;
}

function fit(given: Json, places: readonly Json[], root: JsonSchema): Json {
  const schemas = applying(places, root);
  const value = typeof given === "string" ? fromText(given, schemas) : given;
  if (Array.isArray(value)) {
    const of = (index: number) => schemas.flatMap((schema) => itemSchema(schema, index));
    return value.map((item, index) => fit(item, of(index), root));
  }
  if (!isJsonObject(value)) return value;
  const required = new Set(schemas.flatMap((schema) => schema["required"]));
  const fitted = Object.entries(value).flatMap(([name, inner]) => {
    const own = schemas.flatMap((schema) => propertySchema(schema, name));
    if (inner === null && !required.has(name) && !takesNull(applying(own, root))) return [];
    return [[name, fit(inner, own, root)] as const];
  });
  return Object.fromEntries(fitted);
}

function takesNull(schemas: readonly JsonObject[]): boolean {
  const types = typesOf(schemas.filter(({ type }) => type !== undefined));
  if (types.size === 0 || types.has("null")) return true;
  return schemas.some(({ nullable }) => nullable === true);
}

/** What a text holds, where the schemas want that and no text. */
function fromText(text: string, schemas: readonly JsonObject[]): Json {
  const types = typesOf(schemas.filter(({ type }) => type !== undefined));
  if (types.size === 0 || types.has("string") || isLargeInteger(text)) return text;
  let value: Json;
  try {
    value = readJson(text);
  } catch {
    return text;
  }
  return typesOfValue(value).some((type) => types.has(type)) ? value : text;
}

function typesOfValue(value: Json): string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (typeof value === "number") return Number.isInteger(value) ? ["integer", "number"] : ["number"];
  return [typeof value];
}
