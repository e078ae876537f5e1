import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../json.ts";
import { typeNames } from "./type-names.ts";
import { schemaAt } from "./schema-places.ts";

type TypeName = (typeof typeNames)[number];

/** Schemas that are looked at; a schema with more may fit nothing without being found out. */
const mostLooks = 2_000;

interface Look {
  root: JsonSchema;
  budget: { left: number };
  /** Of the values around this one: no finite value has room for one that has to hold itself. */
  around: readonly JsonObject[];
  /** Of this value. */
  same: readonly JsonObject[];
}

/**
 * Why no value at all fits a JSON Schema, in words that name the place; undefined where one may. What it says is certain, and it finds
 * what can be told without trying values: bounds that cross, types that exclude each other, required fields that cannot be there.
 */
export function impossibleSchema(root: JsonSchema): string | undefined {
  return impossible(root, "", { root, budget: { left: mostLooks }, around: [], same: [] });
}

function impossible(schema: Json | undefined, place: string, look: Look): string | undefined {
  if (schema === false) return place === "" ? "it is false" : `${named(place)} is false`;
  look.budget.left -= 1;
  if (!isJsonObject(schema) || look.budget.left < 0 || look.same.includes(schema)) return undefined;
  if (look.around.includes(schema)) return `${named(place)} has to hold another of its own kind without end`;
  const within: Look = { ...look, same: [...look.same, schema] };
  const { not, $ref: reference, anyOf, oneOf, allOf } = schema;
  if (not === true || (isJsonObject(not) && Object.keys(not).length === 0))
    return `${named(place)} excludes everything`;
  if (typeof reference === "string") {
    const target = schemaAt(look.root, reference);
    const why = target === undefined ? undefined : impossible(target, place, within);
    if (why !== undefined) return why;
  }
  for (const options of [anyOf, oneOf]) {
    if (!Array.isArray(options) || options.length === 0) continue;
    const whys = options.map((option) => impossible(option, place, within));
    if (whys.every((why) => why !== undefined)) return whys[0];
  }
  for (const part of Array.isArray(allOf) ? allOf : []) {
    const why = impossible(part, place, within);
    if (why !== undefined) return why;
  }
  const types = [schema, ...(Array.isArray(allOf) ? allOf : [])].reduce<readonly TypeName[]>(
    (left, part) => left.filter((type) => allows(part, type)),
    typeNames,
  );
  if (types.length === 0) return `the types and values of ${named(place)} exclude each other`;
  const deeper: Look = { ...look, around: [...look.around, ...within.same], same: [] };
  const whys = types.map((type) => impossibleAs(type, schema, place, deeper));
  return whys.every((why) => why !== undefined) ? whys[0] : undefined;
}

/** Whether a schema's own `type`, `enum` and `const` leave values of a type. */
function allows(schema: Json, type: TypeName): boolean {
  if (!isJsonObject(schema)) return true;
  const { type: wanted, enum: options, const: only } = schema;
  const types = wanted === undefined ? undefined : [wanted].flat();
  // Every integer is a number.
  if (types && !types.includes(type) && !(type === "integer" && types.includes("number"))) return false;
  if (only !== undefined && !isOf(only, type)) return false;
  return !Array.isArray(options) || options.some((option) => isOf(option, type));
}

function isOf(value: Json, type: TypeName): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** Why no value of a type fits the keywords that are about this type. */
function impossibleAs(type: TypeName, schema: JsonObject, place: string, look: Look): string | undefined {
  const above = (lower: string, upper: string): string | undefined => {
    const [from, to] = [schema[lower], schema[upper]];
    if (typeof from !== "number" || typeof to !== "number" || from <= to) return undefined;
    return `"${lower}" of ${named(place)} is above its "${upper}"`;
  };
  switch (type) {
    case "string":
      return above("minLength", "maxLength");
    case "number":
    case "integer":
      return (
        above("minimum", "maximum") ??
        above("exclusiveMinimum", "maximum") ??
        above("minimum", "exclusiveMaximum") ??
        above("exclusiveMinimum", "exclusiveMaximum")
      );
    case "array":
      return above("minItems", "maxItems") ?? impossibleItem(schema, place, look);
    case "object":
      return above("minProperties", "maxProperties") ?? impossibleField(schema, place, look);
    default:
      return undefined;
  }
}

function impossibleItem(schema: JsonObject, place: string, look: Look): string | undefined {
  const { minItems, prefixItems, items } = schema;
  const first: readonly Json[] = Array.isArray(prefixItems) ? prefixItems : [];
  const least = typeof minItems === "number" ? minItems : 0;
  for (const [index, item] of first.entries()) {
    const why = index < least ? impossible(item, inside(place, String(index)), look) : undefined;
    if (why !== undefined) return why;
  }
  return least > first.length ? impossible(items, inside(place, "items"), look) : undefined;
}

function impossibleField(schema: JsonObject, place: string, look: Look): string | undefined {
  const { required, properties, additionalProperties, patternProperties } = schema;
  for (const name of Array.isArray(required) ? required : []) {
    if (typeof name !== "string") continue;
    const isNamed = isJsonObject(properties) && Object.hasOwn(properties, name);
    if (isNamed) {
      const why = impossible(properties[name], inside(place, name), look);
      if (why !== undefined) return why;
    } else if (patternProperties === undefined && additionalProperties === false) {
      return `${named(place)} requires "${name}", which "additionalProperties" does not allow`;
    }
  }
  return undefined;
}

const inside = (place: string, name: string): string => (place === "" ? name : `${place}.${name}`);

function named(place: string): string {
  return place === "" ? "the schema" : `"${place}"`;
}
