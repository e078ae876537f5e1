import { z } from "zod/mini";
import { isJsonObject, type Json } from "../json.ts";
import { impossibleSchema } from "../json-schema/impossible-schema.ts";
import { typeNames } from "../json-schema/type-names.ts";

/** Keywords of JSON Schema (draft 2020-12) whose value is one schema, a list of them, or schemas by name. */
const single = [
  "items",
  "additionalProperties",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
];
const lists = ["allOf", "anyOf", "oneOf", "prefixItems"];
const named = ["properties", "patternProperties", "$defs", "dependentSchemas"];
const deepest = 100;

/**
 * What is wrong with a JSON Schema that a person wrote, in words that name the place; undefined when it can be used. Looks at
 * what people get wrong: type names, lists where names are wanted, references that lead nowhere, and schemas that nothing fits.
 */
export function schemaProblem(schema: Json): string | undefined {
  const problem = problemAt(schema, schema, "", 0);
  if (problem !== undefined || !isJsonObject(schema)) return problem;
  const impossible = impossibleSchema(schema);
  return impossible === undefined ? undefined : `Nothing can fit the JSON Schema: ${impossible}.`;
}

function problemAt(schema: Json | undefined, root: Json, place: string, depth: number): string | undefined {
  const at = place === "" ? "The JSON Schema" : `"${place}" of the JSON Schema`;
  if (depth > deepest) return `${at} nests too deeply.`;
  if (typeof schema === "boolean") return undefined;
  if (!isJsonObject(schema)) return `${at} must be an object such as { "type": "string" }.`;
  const { type, required, enum: options, $ref: reference, pattern } = schema;
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const unknown = types.find((name) => !typeNames.some((known) => known === name));
  if (unknown !== undefined) {
    return `${at} has the type ${JSON.stringify(unknown)}; it must be one of ${typeNames.join(", ")}.`;
  }
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === "string"))) {
    return `"required" in ${lower(at)} must be a list of names.`;
  }
  if (options !== undefined && !Array.isArray(options)) return `"enum" in ${lower(at)} must be a list of values.`;
  if (pattern !== undefined && !isPattern(pattern)) return `"pattern" in ${lower(at)} is not a regular expression.`;
  if (typeof reference === "string" && !leadsSomewhere(reference, root)) {
    return `${at} refers to "${reference}", which it does not contain.`;
  }
  for (const [inner, name] of partsOf(schema)) {
    const problem =
      name === undefined
        ? `"${inner}" in ${lower(at)} has the wrong form.`
        : problemAt(name.schema, root, place === "" ? name.path : `${place}.${name.path}`, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

type Part = [keyword: string, found: { path: string; schema: Json | undefined } | undefined];

/** The schemas inside of one; a keyword of the wrong form comes without any. */
function partsOf(schema: Record<string, Json>): Part[] {
  const parts: Part[] = [];
  for (const keyword of single)
    if (keyword in schema) parts.push([keyword, { path: keyword, schema: schema[keyword] }]);
  for (const keyword of lists) {
    const value = schema[keyword];
    if (value === undefined) continue;
    if (!Array.isArray(value)) parts.push([keyword, undefined]);
    else
      for (const [index, inner] of value.entries())
        parts.push([keyword, { path: `${keyword}.${index}`, schema: inner }]);
  }
  for (const keyword of named) {
    const value = schema[keyword];
    if (value === undefined) continue;
    if (!isJsonObject(value)) parts.push([keyword, undefined]);
    else for (const [name, inner] of Object.entries(value)) parts.push([keyword, { path: name, schema: inner }]);
  }
  return parts;
}

function lower(at: string): string {
  return at.startsWith("The ") ? `the ${at.slice(4)}` : at;
}

function isPattern(value: Json): boolean {
  if (typeof value !== "string") return false;
  try {
    return new RegExp(value, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

/** Whether a reference within the same schema (`#/$defs/name`) finds something; an anchor is looked for by name. */
function leadsSomewhere(reference: string, root: Json): boolean {
  if (!reference.startsWith("#")) return false;
  let current: Json | undefined = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    current = Array.isArray(current) ? current[Number(key)] : isJsonObject(current) ? current[key] : undefined;
  }
  return current !== undefined && (reference === "#" || reference.startsWith("#/"));
}

/** A JSON Schema in a config, refused with a word on what is wrong with it. */
export function jsonSchemaValue() {
  return z.record(z.string(), z.json()).check(
    z.superRefine((schema, context) => {
      const problem = schemaProblem(schema);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    }),
  );
}
