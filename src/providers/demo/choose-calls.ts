import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../../engine/json.ts";
import type { ToolDefinition } from "../../engine/model/chat-model.ts";
import { findArithmetic } from "./arithmetic.ts";
import { exampleOf } from "./example-of.ts";
import { findTableReader } from "./find-table.ts";

/** A call that the demo model wants to make. */
interface ChosenCall {
  toolName: string;
  input: JsonObject;
}

function properties(tool: ToolDefinition): JsonObject {
  const found = tool.parameters["properties"];
  return isJsonObject(found) ? found : {};
}

function takes(tool: ToolDefinition, name: string): boolean {
  return Object.hasOwn(properties(tool), name);
}

/** The first URL in a text, without the punctuation that ends a sentence. */
function findUrl(text: string): string | undefined {
  return /https?:\/\/[^\s<>"')\]]+/i.exec(text)?.[0].replace(/[.,;:!?]+$/, "");
}

/** Fills a tool's required parameters from the text as well as simple rules can. */
function fill(tool: ToolDefinition, text: string): JsonObject {
  const all = properties(tool);
  const required: Json[] = Array.isArray(tool.parameters["required"]) ? tool.parameters["required"] : [];
  const input: JsonObject = {};
  for (const name of required) {
    const schema = typeof name === "string" ? all[name] : undefined;
    if (typeof name === "string") input[name] = argument(name, isJsonObject(schema) ? schema : {}, text);
  }
  return input;
}

function argument(name: string, schema: JsonSchema, text: string): Json {
  if (schema["enum"] !== undefined || schema["default"] !== undefined) return exampleOf(schema, text);
  const type = schema["type"];
  if (type === undefined || type === "string") {
    if (/url|link|address/i.test(name)) return findUrl(text) ?? text;
    if (/expression|formula/i.test(name)) return findArithmetic(text) ?? text;
    const quoted = /["“]([^"”]+)["”]/.exec(text)?.[1];
    return /query|message|question|text|prompt|input/i.test(name) ? text : (quoted ?? text);
  }
  const number = /-?\d+(?:\.\d+)?/.exec(text)?.[0];
  if ((type === "number" || type === "integer") && number !== undefined)
    return type === "integer" ? Math.trunc(Number(number)) : Number(number);
  return exampleOf(schema, text);
}

function isNamed(tool: ToolDefinition, text: string): boolean {
  const name = tool.name.toLowerCase();
  const said = text.toLowerCase();
  return name.length > 2 && (said.includes(name) || said.includes(name.replaceAll(/[_-]+/g, " ")));
}

/** Whether a message is small talk about the conversation itself, which no knowledge base answers. */
function isAboutConversation(text: string): boolean {
  return /\bmy name\b|\bdid i (?:ask|say|tell)\b|\bremember\b|^\s*(?:hi|hello|hey|thanks|thank you)\b/i.test(text);
}

/**
 * Which of the offered tools fit a message, all at once: arithmetic → calculator, a URL → HTTP, a table → the tool that
 * reads tables, a tool's own name → that tool; otherwise a knowledge base. With `required`, the first tool when nothing fits.
 */
export function chooseCalls(tools: readonly ToolDefinition[], text: string, required: boolean): ChosenCall[] {
  const calls: ChosenCall[] = [];
  const add = (tool: ToolDefinition | undefined, input?: JsonObject) => {
    if (!tool || calls.some((call) => call.toolName === tool.name)) return;
    calls.push({ toolName: tool.name, input: { ...fill(tool, text), ...input } });
  };
  const expression = findArithmetic(text);
  if (expression !== undefined)
    add(
      tools.find((tool) => takes(tool, "expression")),
      { expression },
    );
  const url = findUrl(text);
  if (url !== undefined) {
    const fetcher = tools.find((tool) => takes(tool, "url")) ?? tools.find((tool) => /http|fetch|web/i.test(tool.name));
    add(fetcher, fetcher && takes(fetcher, "url") ? { url } : {});
  }
  const reader = findTableReader(tools, text);
  if (reader) add(reader.tool, { table: reader.table });
  for (const tool of tools) if (isNamed(tool, text)) add(tool);
  if (calls.length === 0 && !isAboutConversation(text)) {
    const knowledge = tools.find((tool) => takes(tool, "query") && /knowledge|search|docs|documents/i.test(tool.name));
    add(knowledge, { query: text });
  }
  if (calls.length === 0 && required) add(tools[0]);
  return calls;
}
