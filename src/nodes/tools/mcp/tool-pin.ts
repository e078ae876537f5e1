import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod/mini";
import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";
import type { AppLink } from "./app-link.ts";
import { appLink } from "./app-link.ts";
import { stripHidden } from "./hidden-text.ts";

/** A tool as its server describes it. */
export interface McpTool {
  name: string;
  description: string;
  inputSchema: JsonObject;
  /** The server says that it only reads. No model reads that, so pins leave it out. */
  readOnly?: true;
  /** It has an interface, or is for interfaces. */
  app?: AppLink;
}

/** The same value always as the same text: keys in order, no spaces. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(",")}}`;
}

const hashLength = 64;

/** A tool without an interface has the text that it had before there were interfaces. */
function textOf({ name, description, inputSchema, app }: McpTool): string {
  return canonical([name, description, inputSchema, ...(app ? [{ ...app }] : [])]);
}

function hashOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/**
 * What a person approves of a tool: SHA-256 over its name, description, schema and interface, in hex. Whatever a model could read of
 * the tool is in it, so that a change of any of that gives another pin.
 */
export function toolPin(tool: McpTool): string {
  return hashOf(textOf(tool));
}

/**
 * The pin with what was approved before it, so that a later change can be shown. One text: a schema as part of a document
 * could bring keys and depths that documents refuse.
 */
export function textPin(tool: McpTool): string {
  const text = textOf(tool);
  return `${text} ${hashOf(text)}`;
}

/**
 * Whether a pin, with or without its text, stands for the tool as it is: with its interface, without it (the tool was approved before
 * it had one), or not at all. Only the hash counts.
 */
export function pinFits(pin: string, tool: McpTool): "whole" | "without-app" | "no" {
  const hash = pin.slice(-hashLength);
  if (hash === toolPin(tool)) return "whole";
  const { app: _app, ...without } = tool;
  return hash === toolPin(without) ? "without-app" : "no";
}

const pinnedText = z.tuple([z.string(), z.string(), z.record(z.string(), z.json())], z.json());

/**
 * The tool of this name as it was approved. Undefined when the pin has only a hash, or a text that is not the one it was
 * made of: such a text, from a file or masked, says nothing about what a person agreed to.
 */
export function pinnedTool(pin: string, name: string): McpTool | undefined {
  const text = pin.slice(0, -hashLength - 1);
  if (text === "" || hashOf(text) !== pin.slice(-hashLength)) return undefined;
  const parsed = pinnedText.safeParse(asPinned(text));
  if (!parsed.success || parsed.data[0] !== name) return undefined;
  const [, description, inputSchema, ui] = parsed.data;
  const app = ui === undefined ? undefined : appLink({ ui });
  return { name, description, inputSchema, ...(app && { app }) };
}

/** A pin's own text, with doubles for all numbers, as the tool has them that it is compared with. */
function asPinned(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
