import type { ModelEvent, ModelRequest } from "../../engine/model/chat-model.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { isJsonObject } from "../../engine/json.ts";
import { ownErrorHeader } from "../wire/relayed-error.ts";
import { StreamRefusal } from "../wire/translate-events.ts";
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
  const send = () => sendInteraction(body, config.streaming, { vendor, context, signal: request.signal });
  if (config.api !== "auto") return { warnings, start: send };

  /** Refusals of a stream come in the answer, before anything else. */
  async function* sendOrGenerate(): AsyncGenerator<ModelEvent> {
    let begun = false;
    try {
      for await (const event of await send()) {
        begun = true;
        yield event;
      }
    } catch (error) {
      if (begun || !lacksInteractions(error)) throw error;
      learned.noInteractions = true;
      yield* await (await generate(request)).start();
    }
  }
  return { warnings, start: () => Promise.resolve(sendOrGenerate()) };
}

/**
 * A gateway or an older proxy that has only generateContent, a model that is not offered here, or a conversation whose signatures it
 * does not take.
 */
function lacksInteractions(error: unknown): boolean {
  if (error instanceof StreamRefusal) return isUnsupported(error.error);
  if (!(error instanceof GeminiRefusal)) return false;
  const inner = isJsonObject(error.error) ? error.error.error : undefined;
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
