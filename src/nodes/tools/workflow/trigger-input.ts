import { chatTrigger } from "../../triggers/chat-trigger.ts";
import { manualTrigger } from "../../triggers/manual-trigger.ts";
import type { NodeRecord, WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../../../engine/json.ts";

/** How a workflow is started as a tool: what the model fills in, and the run input made from it. */
interface TriggerInput {
  parameters: JsonSchema;
  toInput(values: JsonObject): Json;
}

/** The trigger that a call starts: a chat trigger before a manual one, as the one with the clearer input. */
function triggerOf(document: WorkflowDocument): NodeRecord | undefined {
  const live = Object.values(document.nodes).filter((node) => node.disabled !== true);
  return live.find(({ type }) => type === chatTrigger.type) ?? live.find(({ type }) => type === manualTrigger.type);
}

function schemaOf(example: Json): JsonSchema {
  if (example === null) return {};
  if (Array.isArray(example)) {
    const [first] = example;
    return first === undefined ? { type: "array" } : { type: "array", items: schemaOf(first) };
  }
  if (typeof example === "object") return objectSchema(example);
  if (typeof example === "number") return { type: Number.isInteger(example) ? "integer" : "number" };
  return { type: typeof example };
}

function objectSchema(example: JsonObject): JsonSchema {
  const properties: JsonObject = {};
  for (const [name, value] of Object.entries(example)) properties[name] = described(value);
  return { type: "object", properties, required: [], additionalProperties: false };
}

/** The schema with the stored value as its example; an example is short, or it is none. */
function described(value: Json): JsonSchema {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const schema = schemaOf(value);
  return text === "" || text === "null" || text.length > 200 ? schema : { ...schema, description: `Such as ${text}` };
}

function chatInput(session: string | undefined): TriggerInput {
  return {
    parameters: {
      type: "object",
      properties: {
        message: { type: "string", minLength: 1, description: "The question or task, complete in itself." },
      },
      required: ["message"],
      additionalProperties: false,
    },
    toInput: ({ message = "" }): Json => (session === undefined ? { message } : { message, sessionId: session }),
  };
}

function manualInput(stored: Json): TriggerInput {
  if (isJsonObject(stored)) {
    const parameters = objectSchema(stored);
    return {
      parameters: Object.keys(stored).length > 0 ? parameters : { type: "object", properties: {}, required: [] },
      toInput: (values) => ({ ...stored, ...values }),
    };
  }
  return {
    parameters: {
      type: "object",
      properties: { input: described(stored) },
      required: [],
      additionalProperties: false,
    },
    toInput: ({ input = stored }) => input,
  };
}

/**
 * The trigger's input as parameters: the message of a chat trigger, or the keys of a manual trigger's stored input, which
 * stand in for what the model leaves out. A stored `{}` takes any object. Undefined when no trigger is turned on.
 */
export function triggerInput(document: WorkflowDocument, session: string | undefined): TriggerInput | undefined {
  const trigger = triggerOf(document);
  if (!trigger) return undefined;
  return trigger.type === chatTrigger.type ? chatInput(session) : manualInput(trigger.config["input"] ?? {});
}
