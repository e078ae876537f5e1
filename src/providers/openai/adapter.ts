import type OpenAI from "openai";
import type { ChatCompletion } from "openai/resources/chat/completions";
import type { ModelRequest } from "../../engine/model/chat-model.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { mapSdkError } from "../wire/sdk-error.ts";
import type { PreparedCall, VendorAdapter } from "../wire/vendor-chat-model.ts";
import { chatDialect, type ChatServer } from "./chat-dialect.ts";
import { toChatRequest } from "./chat-request.ts";
import { fromChatCompletion, fromChatStream } from "./chat-stream.ts";
import type { ModelTraits } from "./model-traits.ts";
import { toResponsesRequest } from "./responses-request.ts";
import { fromResponse, fromResponsesStream } from "./responses-stream.ts";
import type { OpenaiSettings } from "./settings.ts";

/** All that a ChatModel over the OpenAI SDK depends on; the two providers differ in nothing else. */
export interface OpenaiModelOptions {
  provider: string;
  /** The vendor's name for people. */
  vendor: string;
  server: ChatServer;
  settings: OpenaiSettings;
  traits: ModelTraits;
  streaming: boolean;
  api: "auto" | "chat" | "responses";
  context: ProviderContext;
  client: () => Promise<OpenAI>;
}

/** Makes each call ready for the API that it needs. */
export function openaiAdapter(options: OpenaiModelOptions): VendorAdapter {
  return {
    prepare: (request) => (usesResponses(options, request) ? responsesCall : chatCall)(options, request),
    mapError: mapSdkError,
  };
}

/**
 * Reasoning models keep their thoughts across tool turns in the Responses API only, and some models exist nowhere else;
 * everything else speaks Chat Completions.
 */
function usesResponses({ api, traits }: OpenaiModelOptions, request: ModelRequest): boolean {
  if (api !== "auto") return api === "responses";
  if (traits.responsesOnly) return true;
  return traits.reasoning && (request.tools.length > 0 || request.messages.some((message) => message.role === "tool"));
}

function chatCall(options: OpenaiModelOptions, request: ModelRequest): PreparedCall {
  const { settings, traits, server, streaming, client, vendor, context } = options;
  const dialect = chatDialect(server, settings.model);
  const { body, warnings } = toChatRequest(request, settings, traits, dialect);
  const { signal } = request;
  return {
    warnings,
    async start() {
      const { completions } = (await client()).chat;
      if (!streaming) {
        const { data, response } = await completions.create(body, { signal }).withResponse();
        return fromChatCompletion(data, vendor, context.host.newId, response.headers);
      }
      const streamed = {
        ...body,
        stream: true as const,
        ...(dialect.streamOptions ? { stream_options: { include_usage: true } } : {}),
      };
      // The SDK sends and judges; what it would read chunk by chunk through several layers is read in one.
      const response = await completions.create(streamed, { signal }).asResponse();
      // A server that does not stream, or has only an error to give, answers in one piece.
      if (response.headers.get("content-type")?.includes("application/json")) {
        const data = (await response.json()) as ChatCompletion;
        return fromChatCompletion(data, vendor, context.host.newId, response.headers);
      }
      return fromChatStream(response, vendor, context.host.newId);
    },
  };
}

function responsesCall(options: OpenaiModelOptions, request: ModelRequest): PreparedCall {
  const { settings, traits, streaming, client, vendor } = options;
  const { body, warnings } = toResponsesRequest(request, settings, traits);
  const { signal } = request;
  return {
    warnings,
    async start() {
      const { responses } = await client();
      if (!streaming) return fromResponse(await responses.create(body, { signal }), vendor);
      return fromResponsesStream(await responses.create({ ...body, stream: true }, { signal }), vendor);
    },
  };
}
