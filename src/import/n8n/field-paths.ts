import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { quoted } from "../expressions/piece.ts";

const unsafe = new Set(["__proto__", "constructor", "prototype"]);

/** The names in a path such as `a.b[0]["c"]`. */
function namesIn(path: string): string[] {
  return path.split(/[.[\]"']+/).filter((name) => name !== "" && !unsafe.has(name));
}

/** Whether a name is a path into an object or a list. */
export function isPath(name: string): boolean {
  return namesIn(name).length > 1;
}

/** Puts a value at a path of names such as `a.b.c` or `list[1]` into an object. */
export function putAt(fields: JsonObject, path: string, value: Json): void {
  const names = namesIn(path);
  const last = names.pop();
  if (last === undefined) return;
  let holder: JsonObject = fields;
  for (const name of names) {
    const inner = holder[name];
    const next = isJsonObject(inner) ? inner : {};
    holder[name] = next;
    holder = next;
  }
  holder[last] = value;
}

const isWhole = (value: Json) =>
  typeof value === "string" && /^\{\{((?:"(?:[^"\\]|\\.)*"|(?!\}\})[^"])*)\}\}$/.test(value);

/** A value with templates as CEL; nothing where a text is put together from several. */
function celOf(value: Json): string | undefined {
  if (isWhole(value)) return `dyn(${String(value).slice(2, -2)})`;
  if (typeof value === "string") return value.includes("{{") ? undefined : `dyn(${quoted(value)})`;
  if (Array.isArray(value)) {
    const items = value.map(celOf);
    return items.includes(undefined) ? undefined : `[${items.join(", ")}]`;
  }
  if (!isJsonObject(value)) return `dyn(${JSON.stringify(value)})`;
  const entries = Object.entries(value).map(([name, one]) => [quoted(name), celOf(one)] as const);
  return entries.some(([, one]) => one === undefined)
    ? undefined
    : `{${entries.map(([name, one]) => `${name}: ${one}`).join(", ")}}`;
}

const isIndexed = (value: JsonObject) => {
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => /^\d{1,3}$/.test(name));
};

/**
 * Fields within an object or a list of the input go beside what stands there: `a.b` leaves `a.c`, `list[1]` the other items. A field
 * whose values are texts with several templates replaces the whole.
 */
export function besideInput(fields: JsonObject, keepsInput: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const made = keepsInput && isJsonObject(value) ? beside(value, `json.?${name}`, name) : undefined;
      return [name, made === undefined ? listed(value) : `{{${made}}}`];
    }),
  );
}

function beside(value: JsonObject, path: string, name: string): string | undefined {
  const read = /^[A-Za-z_]\w*$/.test(name) ? path : `json[?${quoted(name)}]`;
  if (isIndexed(value)) return undefined;
  const cel = celOf(value);
  return cel === undefined ? undefined : `mergeObjects(coalesce(${read}.orValue(null), {}), ${cel})`;
}

/** Places of a list that are written out. */
const mostPlaces = 1_000;

/** An object whose names are places in a list, as a list. */
function listed(value: Json): Json {
  if (!isJsonObject(value) || !isIndexed(value)) return value;
  const places = Object.keys(value).map(Number);
  if (Math.max(...places) > mostPlaces) return value;
  return Array.from({ length: Math.max(...places) + 1 }, (_, index) => value[String(index)] ?? null);
}
