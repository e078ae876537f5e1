import { type ExactJson, isJsonObject, type Json, type JsonObject, type JsonSchema } from "../json.ts";
import { isLargeInteger } from "../lossless-json.ts";
import { applying, itemSchema, propertySchema, typesOf } from "./schema-places.ts";
import { plainData, schemasByName } from "./schema-patterns.ts";

/** Levels of a schema; a deeper one is left as it is. */
const maxDepth = 200;

/**
 * A value whose large integers are bigints, so that they go out as bare numbers, wherever the schema takes a number and no
 * text. `exactText` writes it.
 */
export function withBareIntegers(value: Json, schema: JsonSchema): ExactJson {
  return bare(value, [schema], schema);
}

function bare(value: Json, given: readonly Json[], root: JsonSchema): ExactJson {
  if (typeof value === "string" && !isLargeInteger(value)) return value;
  if (typeof value !== "string" && (typeof value !== "object" || value === null)) return value;
  const schemas = applying(given, root);
  if (typeof value === "string") return takesNumbersAlone(schemas) ? BigInt(value) : value;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      bare(
        item,
        schemas.flatMap((schema) => itemSchema(schema, index)),
        root,
      ),
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      bare(
        inner,
        schemas.flatMap((schema) => propertySchema(schema, name)),
        root,
      ),
    ]),
  );
}

function takesNumbersAlone(schemas: readonly JsonObject[]): boolean {
  const types = typesOf(schemas);
  return (types.has("integer") || types.has("number")) && !types.has("string");
}

const numeric = new Set(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]);

const outgoing = new WeakMap<JsonSchema, ExactSchema>();

/** A schema whose large integers are bigints; `exactText` writes it. */
export interface ExactSchema {
  [word: string]: ExactJson;
}

/**
 * A schema as it goes out to others: its limits are bare numbers, and so are the values that it lists where it takes numbers
 * and no text. Made once per schema, since every model call offers the same ones.
 */
export function schemaWithBareIntegers(schema: JsonSchema): ExactSchema {
  const before = outgoing.get(schema);
  if (before) return before;
  const made = /"-?\d{16,}"/.test(JSON.stringify(schema)) ? rewrittenSchema(schema) : schema;
  outgoing.set(schema, made);
  return made;
}

function rewrittenSchema(schema: JsonSchema): ExactSchema {
  const inside = (part: Json, depth: number): ExactJson => {
    if (depth > maxDepth) return part;
    if (Array.isArray(part)) return part.map((one) => inside(one, depth + 1));
    return isJsonObject(part) ? rewritten(part, depth + 1) : part;
  };
  function rewritten(part: JsonObject, depth: number): ExactSchema {
    const entries = Object.entries(part).map(([word, rule]): [string, ExactJson] => {
      if (numeric.has(word)) return [word, isLargeInteger(rule) ? BigInt(rule) : rule];
      if ((word === "enum" || word === "examples") && Array.isArray(rule))
        return [word, rule.map((one) => bare(one, [part], schema))];
      if (plainData.has(word)) return [word, bare(rule, [part], schema)];
      if (schemasByName.has(word) && isJsonObject(rule))
        return [word, Object.fromEntries(Object.entries(rule).map(([name, one]) => [name, inside(one, depth)]))];
      return [word, inside(rule, depth)];
    });
    return Object.fromEntries(entries);
  }
  return rewritten(schema, 0);
}
