import { isJsonObject, type Json } from "../../engine/json.ts";
import type { Made } from "./made.ts";
import { escaped } from "./node-work.ts";

/**
 * JavaScript over all items, as `list`; `at` reads a path of names, and `same` compares values by what they hold. The inputs are
 * names and choices of n8n's node, in which nothing is inserted.
 */
export function itemCode(code: string, inputs: Readonly<Record<string, Json>> = {}): Made {
  const fixed = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, asWritten(value)]));
  return {
    type: "code",
    config: { code: `${preludeOf(code)}\n${code}`, ...(Object.keys(fixed).length > 0 ? { inputs: fixed } : {}) },
  };
}

/** A value whose texts templates leave as they are. */
function asWritten(value: Json): Json {
  if (typeof value === "string") return escaped(value);
  if (Array.isArray(value)) return value.map(asWritten);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asWritten(one)]));
}

const prelude: Readonly<Record<string, string>> = {
  list: `const list = Array.isArray(json) ? json : json === null ? [] : [json];`,
  at: `const at = (one, path) => one !== null && typeof one === "object" && path in one ? one[path] : path.split(/[.[\\]"']+/).filter(Boolean).reduce((value, key) => (value === null || value === undefined ? undefined : value[key]), one);`,
  keyed: `const keyed = (value) => JSON.stringify(value, (_, one) => (one && typeof one === "object" && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one));`,
  same: `const same = (a, b) => keyed(a) === keyed(b);`,
};

/** What the code uses of the prelude, and nothing more. */
function preludeOf(code: string): string {
  const uses = (name: string) => new RegExp(`\\b${name}\\b`).test(code) || (name === "keyed" && /\bsame\b/.test(code));
  return Object.entries(prelude)
    .flatMap(([name, text]) => (uses(name) ? [text] : []))
    .join("\n");
}

/** Names of fields, as the versions of n8n write them: with commas between, as a list, or below `fields`. */
export function fieldNames(value: Json | undefined): string[] {
  if (typeof value === "string") return value.split(",").map(plainName).filter(Boolean);
  if (Array.isArray(value)) return value.flatMap(fieldNames);
  if (!isJsonObject(value)) return [];
  if (typeof value.fieldName === "string") return fieldNames(value.fieldName);
  return Object.values(value).flatMap((one) => (Array.isArray(one) ? one.flatMap(fieldNames) : []));
}

const plainName = (name: string) =>
  name
    .trim()
    .replace(/^=/, "")
    .replace(/^\$json\./, "");
