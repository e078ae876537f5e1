import type { JsonObject, JsonSchema } from "../json.ts";
import { type AiCall, type AiType, isOptional } from "./ai-call.ts";
import type { ConfigTemplates } from "./config-templates.ts";
import { holdsTemplate } from "./split-template.ts";

const schemas: Readonly<Record<AiType, JsonSchema>> = {
  string: { type: "string" },
  number: { type: "number" },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
  array: { type: "array" },
  object: { type: "object" },
  json: {},
};

/**
 * The `ai(…)` calls of a config as the JSON Schema that the model sees. A name used twice is one parameter; the first
 * call with a description describes it. Those with a default are optional.
 */
export function aiParameters(templates: ConfigTemplates): JsonSchema {
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const call of callsOf(templates)) {
    const known = properties[call.name];
    const described = typeof known === "object" && known !== null && "description" in known;
    if (known === undefined || (!described && call.description !== "")) properties[call.name] = schemaOf(call);
    if (!isOptional(call) && !required.includes(call.name)) required.push(call.name);
  }
  return { type: "object", properties, required, additionalProperties: false };
}

/** Names that are asked for with two different types; validation reports them. */
export function conflictingParameters(templates: ConfigTemplates): string[] {
  const types = new Map<string, AiType>();
  const conflicts = new Set<string>();
  for (const call of callsOf(templates)) {
    const known = types.get(call.name);
    if (known !== undefined && known !== call.type) conflicts.add(call.name);
    types.set(call.name, call.type);
  }
  return [...conflicts];
}

function callsOf(templates: ConfigTemplates): AiCall[] {
  return templates.templated.flatMap((one) => one.aiCalls);
}

function schemaOf(call: AiCall): JsonSchema {
  return {
    ...schemas[call.type],
    ...(call.description === "" ? {} : { description: call.description }),
    // A default with data in it is known only at the call, and none at all is no value for the model to give.
    ...(call.default === undefined || call.default === null || holdsTemplate(call.default)
      ? {}
      : { default: call.default }),
  };
}
