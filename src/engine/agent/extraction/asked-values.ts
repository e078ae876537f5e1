import { z } from "zod/mini";
import { isJsonObject, type JsonObject, type JsonSchema } from "../../json.ts";
import type { Tool } from "../../tool/tool.ts";
import { shortTypes } from "../../trust/extraction/short-value.ts";
import type { AskedSource } from "./find-source.ts";

/** Values of one request: more than these nobody looks at with care. */
const maxValues = 20;

const askedValue = z.object({
  tool: z.string(),
  argument: z.string(),
  type: z.enum(shortTypes),
  meaning: z._default(z.string(), ""),
});

/** A value to read: of which type, for which argument of which tool, and what it is in the text. */
export type AskedValue = z.infer<typeof askedValue>;

const asked = z.object({
  source: z.string(),
  containing: z._default(z.string(), ""),
  values: z.array(askedValue),
});

/** The tools for which values may be confirmed: those that ask because of where values came from. */
export function toolsThatAsk(tools: readonly Tool[]): Tool[] {
  return tools.filter(({ approval }) => approval === "ask-after-untrusted");
}

/** What a model sends. */
export function extractionParameters(tools: readonly Tool[]): JsonSchema {
  const text = (description: string, maxLength: number) => ({ type: "string", maxLength, description });
  return {
    type: "object",
    properties: {
      source: text("The tool whose result holds the values. It must have been called.", 64),
      containing: text("Words of the result or of its call, where that tool was called more than once.", 200),
      values: {
        type: "array",
        minItems: 1,
        maxItems: maxValues,
        items: {
          type: "object",
          properties: {
            tool: { type: "string", enum: tools.map(({ name }) => name), description: "The tool that will get it." },
            argument: text("The argument of that tool, with dots to its members: message.to", 200),
            type: { type: "string", enum: [...shortTypes] },
            meaning: text("What it is in the text, such as: account number of the bill", 120),
          },
          required: ["tool", "argument", "type"],
          additionalProperties: false,
        },
      },
    },
    required: ["source", "values"],
    additionalProperties: false,
  };
}

/** What a model asks for, or what is wrong with it, in words for it. The arguments match the schema. */
export function readAsked(
  input: JsonObject,
  tools: readonly Tool[],
): { ok: true; from: AskedSource; values: AskedValue[] } | { ok: false; reason: string } {
  const { values, ...from } = asked.parse(input);
  for (const { tool, argument, type } of values) {
    const schema = argumentSchema(tools, tool, argument);
    if (schema === undefined) return { ok: false, reason: `${tool} has no argument ${argument}.` };
    if (type === "choice" && choicesOf(schema).length === 0)
      return { ok: false, reason: `The argument ${argument} of ${tool} names no choices. Use another type.` };
  }
  return { ok: true, from, values };
}

/** What a tool says of an argument or a member of it; undefined where it names none such. */
export function argumentSchema(tools: readonly Tool[], name: string, argument: string): JsonObject | undefined {
  const tool = tools.find((each) => each.name === name);
  const [first = "", ...members] = argument.split(".");
  let schema = tool && propertyOf(tool.parameters, first);
  for (const member of members) schema = schema && propertyOf(schema, member);
  return schema;
}

function propertyOf(schema: JsonObject, name: string): JsonObject | undefined {
  const { properties, items } = schema;
  if (isJsonObject(items)) return propertyOf(items, name);
  if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) return undefined;
  const property = properties[name];
  return isJsonObject(property) ? property : {};
}

/** The values that an argument may have, as its tool names them. */
export function choicesOf(schema: JsonObject): string[] {
  const listed = schema["enum"];
  return Array.isArray(listed) ? listed.filter((each) => typeof each === "string") : [];
}
