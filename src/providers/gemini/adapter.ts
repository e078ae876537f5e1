import type { ModelEvent, ModelRequest } from "../../engine/model/chat-model.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { isJsonObject } from "../../engine/json.ts";
import { ownErrorHeader } from "../wire/relayed-error.ts";
import type { PreparedCall, VendorAdapter } from "../wire/vendor-chat-model.ts";
import { geminiClient, loadGeminiSdk } from "./client.ts";
import { fromGeminiStream } from "./from-stream.ts";
import { sendInteraction } from "./interactions-call.ts";
import { isInteractionCall } from "./interactions-input.ts";
import { fitsInteractions, toInteractionRequest } from "./interactions-request.ts";
import { GeminiRefusal, mapGeminiError } from "./map-error.ts";
import type { GeminiTraits } from "./model-traits.ts";
import type { geminiApis, GeminiSettings } from "./settings.ts";
import { toGeminiRequest } from "./to-request.ts";

/** All that a call depends on besides the request. */
interface GeminiModelOptions {
  config: GeminiSettings & { streaming: boolean; api: (typeof geminiApis)[number] };
  traits: GeminiTraits;
  vendor: string;
  context: ProviderContext;
}

type Answer = AsyncIterable<ModelEvent> | Iterable<ModelEvent>;

/** What the server said that it does not do; not asked again. */
interface Learned {
  noInteractions?: true;
}

/** Makes each call ready for the API that it needs. */
export function geminiAdapter(options: GeminiModelOptions): VendorAdapter {
  const learned: Learned = {};
  const client = geminiClient(options.context);
  const generate = (request: ModelRequest) => contentCall(options, client, request);
  return {
    prepare: (request) =>
      usesInteractions(options, request, learned)
        ? interactionCall(options, request, learned, generate)
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
  request: ModelRequest,
  learned: Learned,
  generate: (request: ModelRequest) => Promise<PreparedCall>,
): PreparedCall {
  const { body, warnings } = toInteractionRequest(request, config, traits);
  return {
    warnings,
    async start(): Promise<Answer> {
      try {
        return await sendInteraction(body, config.streaming, { vendor, context, signal: request.signal });
      } catch (error) {
        if (config.api !== "auto" || !lacksInteractions(error)) throw error;
        learned.noInteractions = true;
        return (await generate(request)).start();
      }
    },
  };
}

/** A gateway or an older proxy that has only generateContent, or a model that is not offered here. */
function lacksInteractions(error: unknown): boolean {
  if (!(error instanceof GeminiRefusal)) return false;
  const inner = isJsonObject(error.error) && isJsonObject(error.error.error) ? error.error.error : undefined;
  if (error.headers.get(ownErrorHeader)) return inner?.code === "invalid_config";
  if (inner?.code === "model_not_found") return false;
  if (error.status === 404 || error.status === 405 || error.status === 501) return true;
  return error.status === 400 && /model (family )?.{0,80}not supported/i.test(error.message);
}

async function contentCall(
  { config, traits, vendor, context }: GeminiModelOptions,
  client: ReturnType<typeof geminiClient>,
  request: ModelRequest,
): Promise<PreparedCall> {
  const { parameters, warnings } = toGeminiRequest(request, config, traits, await loadGeminiSdk());
  return {
    warnings,
    async start() {
      const { models } = await client();
      const chunks = config.streaming
        ? await models.generateContentStream(parameters)
        : [await models.generateContent(parameters)];
      return fromGeminiStream(chunks, vendor, context.host.newId);
    },
  };
}
