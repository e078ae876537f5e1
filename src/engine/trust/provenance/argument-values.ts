import { isJsonObject, type Json } from "../../json.ts";

/** A text, a number or a flag among the arguments, with its path. `isName`: it is the name of a member. */
interface Leaf {
  path: (string | number)[];
  value: Json;
  isName?: true;
}

/**
 * The texts, numbers and flags of a value, with their paths; empty lists and objects, too. A member that the schema does not name is
 * a value by its name as well, since it may be somebody's address.
 */
export function leavesOf(value: Json, path: (string | number)[], known: ReadonlySet<string>): Leaf[] {
  if (typeof value !== "object" || value === null) return [{ path, value }];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  if (entries.length === 0) return [{ path, value: "" }];
  return entries.flatMap(([key, item]) => [
    ...(typeof key === "number" || known.has(key) ? [] : [{ path: [...path, key], value: key, isName: true as const }]),
    ...leavesOf(item, [...path, key], known),
  ]);
}

/** The members that a schema names, at any depth and behind any reference. */
export function membersOf(schema: Json, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(schema)) for (const item of schema) membersOf(item, found);
  else if (isJsonObject(schema)) {
    const { properties } = schema;
    if (isJsonObject(properties)) for (const name of Object.keys(properties)) found.add(name);
    for (const item of Object.values(schema)) membersOf(item, found);
  }
  return found;
}
