import type OpenAI from "openai";
import type { ChatCompletion } from "openai/resources/chat/completions";
import type { Response as OpenaiResponse } from "openai/resources/responses/responses";
import type { ModelEvent, ModelRequest } from "../../engine/model/chat-model.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { mapSdkError } from "../wire/sdk-error.ts";
import { shortName } from "../wire/short-name.ts";
import type { PreparedCall, VendorAdapter } from "../wire/vendor-chat-model.ts";
import { warning } from "../wire/warning.ts";
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

/** What the server said that it does not do; not asked again. */
interface Learned {
  noResponses?: true;
  noSummary?: true;
}

/** Makes each call ready for the API that it needs. */
export function openaiAdapter(options: OpenaiModelOptions): VendorAdapter {
  const learned: Learned = {};
  return {
    prepare: (request) =>
      usesResponses(options, request, learned) ? responsesCall(options, request, learned) : chatCall(options, request),
    mapError: mapSdkError,
  };
}

/**
 * The Responses API is the usual one; reasoning models keep their thoughts across tool turns there only. Chat Completions is
 * for models, servers and settings that have nothing else.
 */
function usesResponses(
  { api, traits, settings }: OpenaiModelOptions,
  request: ModelRequest,
  learned: Learned,
): boolean {
  if (api !== "auto") return api === "responses";
  if (traits.responsesOnly) return true;
  if (traits.chatOnly || learned.noResponses) return false;
  if (settings.own?.webSearch) return true;
  const hasTools = request.tools.length > 0 || request.messages.some((message) => message.role === "tool");
  if (traits.reasoning && hasTools) return true;
  const { seed, stop, frequencyPenalty, presencePenalty } = settings;
  const sampled = !traits.fixedSampling && (stop.length > 0 || frequencyPenalty !== 0 || presencePenalty !== 0);
  return seed === undefined && !sampled;
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
      if (isWhole(response)) {
        const data = (await response.json()) as ChatCompletion;
        return fromChatCompletion(data, vendor, context.host.newId, response.headers);
      }
      return fromChatStream(response, vendor, context.host.newId);
    },
  };
}

/** A server that does not stream, or has only an error to give, answers in one piece. */
function isWhole(response: Response): boolean {
  return response.headers.get("content-type")?.includes("application/json") === true;
}

function responsesCall(options: OpenaiModelOptions, request: ModelRequest, learned: Learned): PreparedCall {
  const { settings, traits, streaming, client, vendor, context } = options;
  const system = request.messages[0]?.role === "system" ? request.messages[0].text : "";
  const cacheKey = `switchyard-${shortName(`${context.nodeId} ${system}`)}`;
  const { body, warnings } = toResponsesRequest(request, settings, traits, cacheKey);
  const { signal } = request;

  async function send(): Promise<AsyncIterable<ModelEvent> | Iterable<ModelEvent>> {
    const { responses } = await client();
    const { reasoning, ...rest } = body;
    const { summary: _left, ...effort } = reasoning ?? {};
    const asked = learned.noSummary ? { ...rest, ...(effort.effort ? { reasoning: effort } : {}) } : body;
    if (!streaming) return fromResponse(await responses.create(asked, { signal }), vendor);
    const response = await responses.create({ ...asked, stream: true }, { signal }).asResponse();
    if (isWhole(response)) return fromResponse((await response.json()) as OpenaiResponse, vendor);
    return fromResponsesStream(response, vendor);
  }

  return {
    warnings,
    async start() {
      try {
        return await send();
      } catch (error) {
        if (refusesSummary(error) && !learned.noSummary) {
          learned.noSummary = true;
          return saying(noSummary, await send());
        }
        if (options.api !== "auto" || traits.responsesOnly || settings.own?.webSearch || !lacksResponses(error))
          throw error;
        learned.noResponses = true;
        return chatCall(options, request).start();
      }
    },
  };
}

/** Only verified organizations get summaries of some models' reasoning, and some models have none. */
function refusesSummary(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("400 ") && /reasoning(\.| )summar/i.test(error.message);
}

const noSummary = warning(
  "OpenAI gives no summaries of this model's reasoning to this account, so its thinking is not shown.",
  "Verify your organization at platform.openai.com/settings/organization/general.",
);

/** A gateway that has only Chat Completions; OpenAI itself says so of a model that it does not know. */
function lacksResponses(error: unknown): boolean {
  if (!(error instanceof Error) || !("status" in error)) return false;
  const unknownModel = "code" in error && error.code === "model_not_found";
  return !unknownModel && (error.status === 404 || error.status === 405 || error.status === 501);
}

async function* saying(first: ModelEvent, rest: AsyncIterable<ModelEvent> | Iterable<ModelEvent>) {
  yield first;
  yield* rest;
}
