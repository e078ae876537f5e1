import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../../engine/json.ts";
import { type ExactSchema, schemaWithBareIntegers } from "../../engine/json-schema/bare-integers.ts";

/**
 * A tool's parameters as every vendor accepts them: an object schema, also when the tool takes nothing, without a choice at its top and
 * without properties that are no schema. What the tool is called with is checked against its own schema.
 */
export function objectSchema(given: JsonSchema): ExactSchema {
  const schema = schemaWithBareIntegers(readable(given));
  if (schema["type"] === "object" && schema["properties"] !== undefined) return schema;
  return { ...schema, type: "object", properties: schema["properties"] ?? {} };
}

const choices = ["anyOf", "oneOf", "allOf"] as const;

function readable(given: JsonSchema): JsonSchema {
  if (!choices.some((name) => given[name] !== undefined) && !hasBareProperty(given)) return given;
  const { anyOf, oneOf, allOf, ...own } = given;
  const branches = [anyOf, oneOf].map((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
  const always = [own, ...(Array.isArray(allOf) ? allOf.filter(isJsonObject) : [])];
  const required = new Set(always.flatMap(requiredIn));
  // Of a choice only what all its branches ask for has to be there.
  for (const list of branches) for (const name of requiredByAll(list)) required.add(name);
  const properties = joinedProperties([...always, ...branches.flat()]);
  const { type: _type, properties: _properties, required: _required, ...rest } = own;
  return { ...rest, type: "object", properties, ...(required.size > 0 ? { required: [...required] } : {}) };
}

function hasBareProperty({ properties }: JsonObject): boolean {
  return isJsonObject(properties) && Object.values(properties).some((one) => !isJsonObject(one));
}

/** The properties of all; one that several have takes what any of them takes. `true` stands for any value, `false` for none. */
function joinedProperties(schemas: readonly JsonObject[]): JsonObject {
  const found = new Map<string, JsonObject[]>();
  for (const { properties } of schemas) {
    for (const [name, one] of Object.entries(isJsonObject(properties) ? properties : {})) {
      const schema = one === true ? {} : one;
      if (isJsonObject(schema)) found.set(name, [...(found.get(name) ?? []), schema]);
    }
  }
  return Object.fromEntries([...found].map(([name, all]) => [name, oneOfAll(all)]));
}

function oneOfAll(schemas: readonly JsonObject[]): JsonObject {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [first = {}] = different;
  return different.length > 1 ? { anyOf: different } : first;
}

function requiredIn({ required }: JsonObject): string[] {
  return Array.isArray(required) ? required.filter((name: Json) => typeof name === "string") : [];
}

function requiredByAll([first, ...others]: readonly JsonObject[]): string[] {
  return first ? requiredIn(first).filter((name) => others.every((other) => requiredIn(other).includes(name))) : [];
}
