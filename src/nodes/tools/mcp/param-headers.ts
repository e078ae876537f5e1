import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../../../engine/json.ts";

/** A property that a tool wants to see in a header, too, so that what stands before the server can route by it. */
interface Declared {
  path: readonly string[];
  name: string;
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const marked = new Set(["string", "integer", "boolean"]);

/**
 * The properties of a tool's input that are marked with `x-mcp-header` (SEP-2243); undefined where the marks break the rules, with
 * which the tool may not be used: a token that comes once, on a string, integer or boolean that is reached by `properties` alone.
 */
export function declaredHeaders(schema: JsonSchema): Declared[] | undefined {
  const declared: Declared[] = [];
  const isValid = visit(schema, [], declared);
  const names = declared.map(({ name }) => name.toLowerCase());
  return isValid && new Set(names).size === names.length ? declared : undefined;
}

function visit(schema: Json | JsonSchema, path: readonly string[] | undefined, declared: Declared[]): boolean {
  if (Array.isArray(schema)) return schema.every((inner) => visit(inner, undefined, declared));
  if (!isJsonObject(schema)) return true;
  const mark = schema["x-mcp-header"];
  if (mark !== undefined) {
    if (path === undefined || path.length === 0) return false;
    if (typeof mark !== "string" || !token.test(mark) || !marked.has(String(schema["type"]))) return false;
    declared.push({ path, name: mark });
  }
  return Object.entries(schema).every(([key, inner]) => {
    // Values that only look like schemas.
    if (["const", "default", "enum", "examples"].includes(key)) return true;
    if (key !== "properties" || !isJsonObject(inner)) return visit(inner, undefined, declared);
    return Object.entries(inner).every(([name, property]) => visit(property, path && [...path, name], declared));
  });
}

/** The headers of one call. What is missing, null or no plain value has none. */
export function paramHeaders(declared: readonly Declared[], input: JsonObject): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, name } of declared) {
    const value = path.reduce<Json | undefined>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), input);
    if (!["string", "number", "boolean"].includes(typeof value)) continue;
    headers[`mcp-param-${name}`] = encoded(String(value));
  }
  return headers;
}

/** As it is where a header may hold it, else in base64 between marks. */
function encoded(value: string): string {
  const isPlain = /^[\t\x20-\x7E]+$/.test(value) && value === value.trim() && !/^=\?base64\?.*\?=$/.test(value);
  if (isPlain) return value;
  const bytes = new TextEncoder().encode(value);
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}?=`;
}
