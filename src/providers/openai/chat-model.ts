import type OpenAI from "openai";
import type { ChatModel, ModelEvent, ModelRequest } from "../../engine/model/chat-model.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { missingCredential } from "../wire/credential.ts";
import { cancelledError, mapSdkError } from "../wire/sdk-error.ts";
import { onceOnly } from "../wire/warning.ts";
import { toChatRequest, type ChatServer } from "./chat-request.ts";
import { fromChatCompletion, fromChatStream } from "./chat-stream.ts";
import type { ModelTraits } from "./model-traits.ts";
import { toResponsesRequest } from "./responses-request.ts";
import { fromResponse, fromResponsesStream } from "./responses-stream.ts";
import { loggedSettings, type OpenaiSettings } from "./settings.ts";

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

/** A ChatModel that never throws: whatever the SDK or the host rejects with becomes the last event. */
export function openaiChatModel(options: OpenaiModelOptions): ChatModel {
  const { provider, settings, traits, vendor, context } = options;
  const unsaid = onceOnly();
  return {
    provider,
    modelId: settings.model,
    capabilities: {
      tools: traits.tools,
      vision: traits.vision,
      streaming: traits.streaming,
      json: traits.json,
      reasoning: traits.reasoning,
    },
    settings: loggedSettings(settings),
    async *stream(request): AsyncGenerator<ModelEvent> {
      if (context.credential === "") {
        yield { type: "error", error: missingCredential(vendor) };
        return;
      }
      try {
        const call = usesResponses(options, request) ? responsesCall : chatCall;
        for await (const event of call(options, request, unsaid)) {
          // The SDK ends an aborted stream as if it were complete, and may hand out what it still holds.
          if (request.signal.aborted) break;
          yield event;
          if (event.type === "finish" || event.type === "error") return;
        }
        yield { type: "error", error: cancelledError() };
      } catch (error) {
        yield { type: "error", error: mapSdkError(error, { vendor, signal: request.signal, now: context.host.now() }) };
      }
    },
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

async function* chatCall(
  { settings, traits, server, streaming, client, vendor, context }: OpenaiModelOptions,
  request: ModelRequest,
  unsaid: ReturnType<typeof onceOnly>,
): AsyncGenerator<ModelEvent> {
  const { body, warnings } = toChatRequest(request, settings, traits, server);
  yield* unsaid(warnings);
  const sdk = await client();
  const { signal } = request;
  if (!streaming) {
    yield* fromChatCompletion(await sdk.chat.completions.create(body, { signal }), vendor, context.host.newId);
    return;
  }
  const chunks = await sdk.chat.completions.create(
    { ...body, stream: true, stream_options: { include_usage: true } },
    { signal },
  );
  yield* fromChatStream(chunks, vendor, context.host.newId);
}

async function* responsesCall(
  { settings, traits, streaming, client, vendor }: OpenaiModelOptions,
  request: ModelRequest,
  unsaid: ReturnType<typeof onceOnly>,
): AsyncGenerator<ModelEvent> {
  const { body, warnings } = toResponsesRequest(request, settings, traits);
  yield* unsaid(warnings);
  const sdk = await client();
  const { signal } = request;
  if (!streaming) {
    yield* fromResponse(await sdk.responses.create(body, { signal }), vendor);
    return;
  }
  yield* fromResponsesStream(await sdk.responses.create({ ...body, stream: true }, { signal }), vendor);
}
