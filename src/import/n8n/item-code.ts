import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import type { Made } from "./made.ts";

/** JavaScript over all items, as `list`; `at` reads a path of names, and `same` compares values by what they hold. */
export function itemCode(code: string, inputs: JsonObject = {}): Made {
  return {
    type: "code",
    config: { code: `${preludeOf(code)}\n${code}`, ...(Object.keys(inputs).length > 0 ? { inputs } : {}) },
  };
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
