import { loadOnce } from "../../engine/load-once.ts";
import type { JsonObject } from "../../engine/json.ts";
import type {
  AnswerTokens,
  ChatModel,
  ModelCapabilities,
  ModelEvent,
  ModelRequest,
} from "../../engine/model/chat-model.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import type { RunErrorData } from "../../engine/errors.ts";
import { cancelledError } from "./cancelled-error.ts";
import { missingCredential } from "./credential.ts";
import type { ErrorPlace } from "./call-error.ts";
import { onceOnly, warning, type Warning } from "./warning.ts";

/** One call made ready: what could not be honoured, and how to send it. */
export interface PreparedCall {
  warnings: Warning[];
  /** Sends the request. Both the promise and the events may reject; a stream ends with `finish` or `error`. */
  start(): Promise<AsyncIterable<ModelEvent> | Iterable<ModelEvent>>;
}

/** How a vendor is spoken to. */
export interface VendorAdapter {
  prepare(request: ModelRequest): PreparedCall | Promise<PreparedCall>;
  mapError(error: unknown, place: ErrorPlace): RunErrorData;
}

/** What a provider brings to `vendorChatModel`. */
interface VendorModel extends Pick<ChatModel, "uncounted"> {
  provider: string;
  /** The list that knows its models, where that is not the provider's. */
  catalog?: string;
  /** The vendor's name for people. */
  vendor: string;
  modelId: string;
  capabilities: ModelCapabilities;
  settings: JsonObject;
  answerTokens?: AnswerTokens;
  context: ProviderContext;
  /** Needs no credential. */
  keyless?: boolean;
  /** Loads the vendor's code; asked for with the first call. */
  adapter(): Promise<VendorAdapter>;
}

/** A ChatModel that never throws: whatever a call rejects with becomes the last event. */
export function vendorChatModel(model: VendorModel): ChatModel {
  const { provider, catalog, vendor, modelId, capabilities, settings, answerTokens, uncounted, context } = model;
  const notYetGiven = onceOnly();
  const load = loadOnce(model.adapter);
  return {
    provider,
    ...(catalog ? { catalog } : {}),
    modelId,
    capabilities,
    settings,
    ...(answerTokens ? { answerTokens } : {}),
    ...(uncounted ? { uncounted } : {}),
    async *stream(asked): AsyncGenerator<ModelEvent> {
      if (context.credential === "" && !model.keyless) {
        yield { type: "error", error: missingCredential(vendor) };
        return;
      }
      const adapter = await load().catch(() => null);
      if (adapter === null) {
        yield { type: "error", error: adapterMissing(vendor) };
        return;
      }
      // A signal of its own per call: `fetch` may leave a listener on it behind, and a run's signal sees many calls.
      const controller = new AbortController();
      const { signal } = controller;
      const stop = () => controller.abort(asked.signal.reason);
      if (asked.signal.aborted) stop();
      else asked.signal.addEventListener("abort", stop, { once: true });
      try {
        const call = await adapter.prepare({ ...asked, signal });
        for (const given of notYetGiven(call.warnings)) yield given;
        for await (const event of await call.start()) {
          // Events of bytes that came before the signal was aborted may still be waiting.
          if (signal.aborted) break;
          if (event.type === "finish") for (const given of notYetGiven(reasonedOnly(event, modelId))) yield given;
          yield event;
          if (event.type === "finish" || event.type === "error") return;
        }
        yield { type: "error", error: cancelledError() };
      } catch (error) {
        yield { type: "error", error: adapter.mapError(error, { vendor, signal, now: context.host.now() }) };
      } finally {
        asked.signal.removeEventListener("abort", stop);
      }
    },
  };
}

/** The site's own files did not come. */
function adapterMissing(vendor: string): RunErrorData {
  return {
    code: "internal",
    message: `The connector for ${vendor} could not be loaded.`,
    hint: "Check your connection to Switchyard, reload the page, then try again.",
    retryable: true,
  };
}

/** Thinking counts towards the limit of the answer; a limit that leaves nothing to say is worth a word. */
function reasonedOnly(event: Extract<ModelEvent, { type: "finish" }>, modelId: string): Warning[] {
  const spoke = event.message.parts.some(
    (part) => part.type !== "reasoning" && (part.type !== "text" || part.text !== ""),
  );
  if (event.finishReason !== "length" || spoke) return [];
  return [
    warning(
      `${modelId} used up its max tokens before it could answer.`,
      "Raise max tokens on the model node: thinking counts towards them.",
    ),
  ];
}
