import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../json.ts";

/** Schemas that are looked at for one place of a value: references may lead in circles. */
const maxSchemas = 100;

/** The schemas themselves and those that they are made of. */
export function applying(given: readonly Json[], root: JsonSchema): JsonObject[] {
  const found = new Set<JsonObject>();
  const open = [...given];
  for (let next = open.pop(); next !== undefined && found.size < maxSchemas; next = open.pop()) {
    if (!isJsonObject(next) || found.has(next)) continue;
    found.add(next);
    for (const word of ["allOf", "anyOf", "oneOf"]) if (Array.isArray(next[word])) open.push(...next[word]);
    const { $ref: reference } = next;
    if (typeof reference === "string" && reference.startsWith("#")) open.push(schemaAt(root, reference) ?? null);
  }
  return [...found];
}

/** What a reference within a schema, such as `#/$defs/name`, leads to. */
export function schemaAt(root: JsonSchema, reference: string): Json | undefined {
  let found: Json | undefined = root;
  for (const step of reference.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(found)) found = found[Number(name)];
    else found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

/** The types that schemas name, each without the others. */
export function typesOf(schemas: readonly JsonObject[]): ReadonlySet<Json | undefined> {
  return new Set(schemas.flatMap(({ type }) => (Array.isArray(type) ? type : [type])));
}

/** The schemas of an item of a list. */
export function itemSchema({ prefixItems, items }: JsonObject, index: number): Json[] {
  const own = Array.isArray(prefixItems) ? prefixItems[index] : undefined;
  return own !== undefined ? [own] : items === undefined ? [] : [items];
}

/** The schemas of a property of an object. */
export function propertySchema({ properties, additionalProperties }: JsonObject, name: string): Json[] {
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) return [properties[name] ?? null];
  return additionalProperties === undefined ? [] : [additionalProperties];
}
