import { type JsonObject, jsonOrText } from "../../json.ts";
import { fileData } from "../../model/attachments.ts";
import type { Message } from "../../model/message.ts";
import { vendorOf } from "../../vendors/index.ts";
import type { EventOf } from "../events.ts";
import type { AttributeValue } from "./otlp.ts";

/** Which setting of a model node is which attribute of a request. */
const settingAttributes: Readonly<Record<string, string>> = {
  temperature: "gen_ai.request.temperature",
  maxTokens: "gen_ai.request.max_tokens",
  topP: "gen_ai.request.top_p",
  topK: "gen_ai.request.top_k",
  frequencyPenalty: "gen_ai.request.frequency_penalty",
  presencePenalty: "gen_ai.request.presence_penalty",
  seed: "gen_ai.request.seed",
};

type Attributes = Record<string, AttributeValue>;

/** Attributes of the span of a model call, from its request. */
export function requestAttributes(request: EventOf<"model-request">, conversation: string | undefined): Attributes {
  const { provider, model, settings, purpose, iteration } = request;
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": vendorOf(provider)?.telemetryName ?? provider,
    "gen_ai.request.model": model,
    "gen_ai.conversation.id": conversation,
    ...settingsOf(settings),
    "switchyard.purpose": purpose,
    "switchyard.iteration": iteration,
  };
}

function settingsOf(settings: JsonObject): Attributes {
  const found: Attributes = {};
  for (const [name, key] of Object.entries(settingAttributes)) {
    const value = settings[name];
    if (typeof value === "number") found[key] = value;
  }
  const { stop } = settings;
  if (Array.isArray(stop) && stop.length > 0) found["gen_ai.request.stop_sequences"] = stop.map(String);
  return found;
}

/** Attributes of the same span, from the response. */
export function responseAttributes(response: EventOf<"model-response">): Attributes {
  const { usage, finishReason, costUsd, firstTokenMs, error } = response;
  return {
    "gen_ai.response.finish_reasons": [finishMessage[finishReason]],
    "gen_ai.usage.input_tokens": usage?.inputTokens,
    "gen_ai.usage.output_tokens": usage?.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage?.cachedInputTokens,
    "switchyard.usage.reasoning_tokens": usage?.reasoningTokens,
    "switchyard.cost_usd": costUsd,
    "switchyard.first_token_ms": firstTokenMs,
    "error.type": error?.code,
  };
}

const finishMessage: Record<EventOf<"model-response">["finishReason"], string> = {
  stop: "stop",
  "tool-calls": "tool_call",
  length: "length",
  "content-filter": "content_filter",
  pause: "pause",
  other: "other",
  error: "error",
  cancelled: "cancelled",
};

/** What was said to the model and by it, in the form that the conventions give for recorded content. */
export function contentOf(
  request: EventOf<"model-request">,
  response: EventOf<"model-response"> | undefined,
): Attributes {
  const system = request.messages.filter((message) => message.role === "system");
  const rest = request.messages.filter((message) => message.role !== "system");
  const answer = response && { ...toMessage(response.message), finish_reason: finishMessage[response.finishReason] };
  return {
    "gen_ai.system_instructions":
      system.length === 0 ? undefined : JSON.stringify(system.map(({ text }) => ({ type: "text", content: text }))),
    "gen_ai.input.messages": JSON.stringify(rest.map(toMessage)),
    "gen_ai.output.messages": answer && JSON.stringify([answer]),
    "gen_ai.tool.definitions":
      request.tools.length === 0
        ? undefined
        : JSON.stringify(request.tools.map((tool) => ({ type: "function", ...tool }))),
  };
}

function toMessage(message: Message): JsonObject {
  switch (message.role) {
    case "system":
      return { role: "system", parts: [{ type: "text", content: message.text }] };
    case "tool":
      return { role: "tool", parts: [{ type: "tool_call_response", id: message.callId, response: message.text }] };
    case "user":
    case "assistant":
      return { role: message.role, parts: message.parts.map(toPart) };
    default:
      return message satisfies never;
  }
}

type Part = Extract<Message, { parts: unknown }>["parts"][number];

function toPart(part: Part): JsonObject {
  switch (part.type) {
    case "text":
      return { type: "text", content: part.text };
    case "reasoning":
      return { type: "reasoning", content: part.text };
    case "image":
      return { type: "uri", modality: "image", uri: part.url };
    case "made-file":
      return { type: "file", modality: "image", mime_type: part.file.mediaType, file_id: part.file.$file };
    case "file":
      return { type: "uri", modality: fileData(part.url)?.kind === "audio" ? "audio" : "document", uri: part.url };
    case "tool-call":
      return { type: "tool_call", id: part.callId, name: part.toolName, arguments: jsonOrText(part.arguments) };
    default:
      return part satisfies never;
  }
}
