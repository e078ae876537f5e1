import type { ModelEvent, ModelRequest } from "../../engine/model/chat-model.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { isJsonObject } from "../../engine/json.ts";
import type { PreparedCall, VendorAdapter } from "../wire/vendor-chat-model.ts";
import { VendorRefusal } from "../wire/vendor-refusal.ts";
import { isWhole, readWhole, type VendorSender } from "../wire/vendor-sender.ts";
import { geminiSender, modelPath } from "./client.ts";
import { fromGeminiAnswer, fromGeminiStream, type GeminiChunk } from "./from-stream.ts";
import { isInteractionCall } from "./interactions-input.ts";
import { fitsInteractions, toInteractionRequest } from "./interactions-request.ts";
import { fromInteraction, fromInteractionStream, type WholeInteraction } from "./interactions-stream.ts";
import { mapGeminiError } from "./map-error.ts";
import type { GeminiTraits } from "./model-traits.ts";
import type { GeminiSettings } from "./gemini-settings.ts";
import { toGeminiRequest } from "./to-request.ts";
import { ownErrorHeader } from "../../engine/studio-headers.ts";

/** All that a call depends on besides the request. */
interface GeminiModelOptions {
  config: GeminiSettings;
  traits: GeminiTraits;
  vendor: string;
  context: ProviderContext;
}

/** What the server said that it does not do; not asked again. */
interface Learned {
  noInteractions?: true;
}

/** Makes each call ready for the API that it needs. */
export function geminiAdapter(options: GeminiModelOptions): VendorAdapter {
  const learned: Learned = {};
  const send = geminiSender(options.context);
  const generate = (request: ModelRequest) => contentCall(options, send, request);
  return {
    prepare: (request) =>
      usesInteractions(options, request, learned)
        ? interactionCall(options, send, request, learned, generate)
        : generate(request),
    mapError: mapGeminiError,
  };
}

/**
 * The Interactions API is the usual one. generateContent is for models, servers and settings that have nothing else, and for
 * conversations with calls that came another way: it alone has a documented stand-in for the signature that those lack.
 */
function usesInteractions({ config, traits }: GeminiModelOptions, request: ModelRequest, learned: Learned): boolean {
  if (config.api !== "auto") return config.api === "interactions";
  if (!traits.interactions || learned.noInteractions || !fitsInteractions(config)) return false;
  return request.messages.every(
    (message) =>
      message.role !== "assistant" ||
      message.parts.every((part) => part.type !== "tool-call" || isInteractionCall(part)),
  );
}

function interactionCall(
  { config, traits, vendor, context }: GeminiModelOptions,
  send: VendorSender,
  request: ModelRequest,
  learned: Learned,
  generate: (request: ModelRequest) => PreparedCall,
): PreparedCall {
  const { streaming } = config;
  const { body, warnings } = toInteractionRequest(request, config, traits);

  async function ask(): Promise<AsyncIterable<ModelEvent> | Iterable<ModelEvent>> {
    const response = await send({
      path: "/v1beta/interactions",
      body: streaming ? { ...body, stream: true } : body,
      headers: { accept: streaming ? "text/event-stream" : "application/json" },
      signal: request.signal,
    });
    const { newId } = context.host;
    if (streaming && !isWhole(response)) return fromInteractionStream(response, vendor, newId);
    return fromInteraction((await readWhole(response)) as WholeInteraction, vendor, newId);
  }
  if (config.api !== "auto") return { warnings, start: ask };

  /** Refusals of a stream come in the answer, before anything else. */
  async function* sendOrGenerate(): AsyncGenerator<ModelEvent> {
    let begun = false;
    try {
      for await (const event of await ask()) {
        begun = true;
        yield event;
      }
    } catch (error) {
      if (begun || !lacksInteractions(error)) throw error;
      learned.noInteractions = true;
      yield* await generate(request).start();
    }
  }
  return { warnings, start: () => Promise.resolve(sendOrGenerate()) };
}

/**
 * A gateway or an older proxy that has only generateContent, a model that is not offered here, or a conversation whose signatures it
 * does not take.
 */
function lacksInteractions(error: unknown): boolean {
  if (!(error instanceof VendorRefusal)) return false;
  const inner = isJsonObject(error.body) ? error.body.error : undefined;
  if (error.headers.get(ownErrorHeader)) return isJsonObject(inner) && inner.code === "invalid_config";
  if (isUnsupported(inner)) return true;
  const noSuchPath = error.status === 404 || error.status === 405 || error.status === 501;
  return noSuchPath && !(isJsonObject(inner) && inner.code === "model_not_found");
}

function isUnsupported(error: unknown): boolean {
  if (!isJsonObject(error)) return false;
  if (error.code === "unimplemented" || error.code === "missing_thought_signature") return true;
  const refused = error.code === "invalid_request" || error.code === "not_found" || error.code === 400;
  return refused && /model (family )?.{0,80}not supported|thought.?signature/i.test(String(error.message));
}

function contentCall(
  { config, traits, vendor, context }: GeminiModelOptions,
  send: VendorSender,
  request: ModelRequest,
): PreparedCall {
  const { body, warnings } = toGeminiRequest(request, config, traits);
  const method = config.streaming ? "streamGenerateContent?alt=sse" : "generateContent";
  return {
    warnings,
    async start() {
      const response = await send({ path: `${modelPath(config.model)}:${method}`, body, signal: request.signal });
      const { newId } = context.host;
      if (config.streaming && !isWhole(response)) return fromGeminiStream(response, vendor, newId);
      return fromGeminiAnswer((await readWhole(response)) as GeminiChunk, response.headers, vendor, newId);
    },
  };
}
