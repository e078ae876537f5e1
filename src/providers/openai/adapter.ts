import type { ChatCompletion } from "openai/resources/chat/completions";
import type { Response as OpenaiResponse } from "openai/resources/responses/responses";
import type { ModelEvent, ModelRequest } from "../../engine/model/chat-model.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { shortName } from "../wire/short-name.ts";
import type { PreparedCall, VendorAdapter } from "../wire/vendor-chat-model.ts";
import { VendorRefusal } from "../wire/vendor-refusal.ts";
import { isWhole, readWhole, type VendorSender } from "../wire/vendor-sender.ts";
import { warning } from "../wire/warning.ts";
import { chatDialect, type ChatServer } from "./chat-dialect.ts";
import { toChatRequest } from "./chat-request.ts";
import { fromChatCompletion, fromChatStream } from "./chat-stream.ts";
import { errorIn, mapOpenaiError } from "./error-shapes.ts";
import type { ModelTraits } from "./model-traits.ts";
import { toResponsesRequest } from "./responses-request.ts";
import { fromResponse, fromResponsesStream } from "./responses-stream.ts";
import type { OpenaiSettings } from "./openai-settings.ts";

/** All that a ChatModel over OpenAI's API depends on; the two providers differ in nothing else. */
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
  send: VendorSender;
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
    mapError: mapOpenaiError,
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
  if (needsResponses(settings)) return true;
  const hasTools = request.tools.length > 0 || request.messages.some((message) => message.role === "tool");
  if (traits.reasoning && hasTools) return true;
  const { seed, stop, frequencyPenalty, presencePenalty } = settings;
  const sampled = !traits.fixedSampling && (stop.length > 0 || frequencyPenalty !== 0 || presencePenalty !== 0);
  return seed === undefined && !sampled;
}

/** Whether a tool of OpenAI's own is switched on. */
function needsResponses({ own }: OpenaiModelOptions["settings"]): boolean {
  return own !== undefined && (own.webSearch || own.imageGeneration);
}

function chatCall(options: OpenaiModelOptions, request: ModelRequest): PreparedCall {
  const { settings, traits, server, streaming, send, vendor, context } = options;
  const dialect = chatDialect(server, settings.model);
  const { body, warnings } = toChatRequest(request, settings, traits, dialect);
  const { signal } = request;
  return {
    warnings,
    async start() {
      const usage = dialect.streamOptions ? { stream_options: { include_usage: true } } : {};
      const asked = streaming ? { ...body, stream: true, ...usage } : body;
      const response = await send({ path: "/chat/completions", body: asked, signal });
      if (!streaming || isWhole(response)) {
        const data = (await readWhole(response)) as ChatCompletion;
        return fromChatCompletion(data, vendor, context.host.newId, response.headers);
      }
      return fromChatStream(response, vendor, context.host.newId);
    },
  };
}

function responsesCall(options: OpenaiModelOptions, request: ModelRequest, learned: Learned): PreparedCall {
  const { settings, traits, streaming, vendor, context } = options;
  const system = request.messages[0]?.role === "system" ? request.messages[0].text : "";
  const cacheKey = `switchyard-${shortName(`${context.nodeId} ${system}`)}`;
  const { body: whole, warnings } = toResponsesRequest(request, settings, traits, cacheKey);
  const { signal } = request;

  async function send(): Promise<AsyncIterable<ModelEvent> | Iterable<ModelEvent>> {
    const { reasoning, ...rest } = whole;
    const { summary: _left, ...effort } = reasoning ?? {};
    const asked = learned.noSummary ? { ...rest, ...(effort.effort ? { reasoning: effort } : {}) } : whole;
    const body = streaming ? { ...asked, stream: true } : asked;
    const response = await options.send({ path: "/responses", body, signal });
    if (!streaming || isWhole(response)) return fromResponse((await readWhole(response)) as OpenaiResponse, vendor);
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
        if (options.api !== "auto" || traits.responsesOnly || needsResponses(settings) || !lacksResponses(error))
          throw error;
        learned.noResponses = true;
        return chatCall(options, request).start();
      }
    },
  };
}

/** Only verified organizations get summaries of some models' reasoning, and some models have none. */
function refusesSummary(error: unknown): boolean {
  return error instanceof VendorRefusal && error.status === 400 && /reasoning(\.| )summar/i.test(error.message);
}

const noSummary = warning(
  "OpenAI gives no summaries of this model's reasoning to this account, so its thinking is not shown.",
  "Verify your organization at platform.openai.com/settings/organization/general.",
);

/** A gateway that has only Chat Completions; OpenAI itself says so of a model that it does not know. */
function lacksResponses(error: unknown): boolean {
  if (!(error instanceof VendorRefusal)) return false;
  const unknownModel = errorIn(error.body)?.code === "model_not_found";
  return !unknownModel && (error.status === 404 || error.status === 405 || error.status === 501);
}

async function* saying(first: ModelEvent, rest: AsyncIterable<ModelEvent> | Iterable<ModelEvent>) {
  yield first;
  yield* rest;
}
