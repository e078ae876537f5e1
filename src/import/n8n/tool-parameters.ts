import { isJsonObject, type Json, type JsonObject, parseJson } from "../../engine/json.ts";
import { toolName } from "../tool-name.ts";
import type { NodeWork } from "./node-work.ts";

/** JSON in a parameter; undefined for none. */
export function parsed(value: Json | undefined): Json | undefined {
  return typeof value === "string" ? parseJson(value.replace(/^=/, "")) : value;
}

/** A JSON Schema of an example. */
export function schemaOf(example: Json): JsonObject {
  if (Array.isArray(example))
    return { type: "array", ...(example[0] === undefined ? {} : { items: schemaOf(example[0]) }) };
  if (isJsonObject(example)) {
    const properties = Object.fromEntries(Object.entries(example).map(([name, value]) => [name, schemaOf(value)]));
    return { type: "object", properties, required: Object.keys(properties) };
  }
  if (example === null) return {};
  return { type: typeof example };
}

/** Name and description of a tool, as the node says them. */
export function namedTool(work: NodeWork, usual: string): JsonObject {
  const given = work.word("name") || work.word("toolName") || work.node.name;
  const words =
    work.at("toolDescription") ??
    work.at("description") ??
    (work.word("descriptionType") === "manual" ? work.at("toolDescription") : undefined);
  const text = typeof words === "string" && words !== "" ? words.replace(/^=/, "") : usual;
  return { toolName: toolName(given), toolDescription: text.slice(0, 4_000) };
}
