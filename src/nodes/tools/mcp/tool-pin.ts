import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Json, JsonObject } from "../../../engine/json.ts";
import { isJsonObject } from "../../../engine/json.ts";
import { stripHidden } from "./hidden-text.ts";

/** A tool as its server describes it. */
export interface McpTool {
  name: string;
  description: string;
  inputSchema: JsonObject;
}

/** The same value always as the same text: keys in order, no spaces. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(",")}}`;
}

/**
 * What a person approves of a tool: SHA-256 over its name, description and schema, in hex. Whatever a model could read of
 * the tool is in it, so that a change of any of that gives another pin.
 */
export function toolPin({ name, description, inputSchema }: McpTool): string {
  return bytesToHex(sha256(utf8ToBytes(canonical([name, description, inputSchema]))));
}

/** Every text of a schema, keys included, as a person sees it; or with `show` done to each text. */
export function visibleSchema(schema: JsonObject, show: (text: string) => string = stripHidden): JsonObject {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [show(key), visible(value, show)]));
}

function visible(value: Json, show: (text: string) => string): Json {
  if (typeof value === "string") return show(value);
  if (Array.isArray(value)) return value.map((item) => visible(item, show));
  return isJsonObject(value) ? visibleSchema(value, show) : value;
}
