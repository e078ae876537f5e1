import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";

/** A run that was started without saying with what. */
function isNothing(input: Json): boolean {
  return input === null || (isJsonObject(input) && Object.keys(input).length === 0);
}

/** What a value like this one looks like; everything in it may be left out. */
function schemaOf(value: Json): JsonObject {
  if (value === null) return {};
  if (Array.isArray(value)) return { type: "array", ...(value[0] === undefined ? {} : { items: schemaOf(value[0]) }) };
  if (!isJsonObject(value)) return { type: typeof value };
  const properties = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, schemaOf(inner)]));
  return { type: "object", properties };
}

export const manualTrigger = defineNode({
  type: "manual-trigger",
  version: 1,
  role: "trigger",
  startedBy: "hand",
  title: "Manual trigger",
  summary: "Starts a run by hand, with data that you type.",
  keywords: ["start", "button", "test", "input", "click", "run", "debug", "by hand"],
  icon: "play",
  config: z.object({
    input: field(z._default(jsonValue(), {}), {
      label: "Input",
      help: "The data that a run starts with, as JSON. Whoever starts it may give other data.",
      control: "json",
    }),
  }),
  inputs: {},
  outputs: { main: out("main", { label: "Output" }) },
  reach: nowhere,
  describe: (config) => (config.input === undefined || isNothing(config.input) ? "" : JSON.stringify(config.input)),
  ownInput: ({ input }) => input ?? {},
  inputSchema: ({ input }) => (input === undefined ? {} : { ...schemaOf(input), examples: [input] }),
  run: ({ json, config }) => (isNothing(json) ? config.input : json),
});
