import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import type { ModelEvent, ModelRequest } from "../../engine/model/chat-model.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { mapSdkError } from "../wire/sdk-error.ts";
import type { PreparedCall, VendorAdapter } from "../wire/vendor-chat-model.ts";
import { warning } from "../wire/warning.ts";
import { anthropicClient, sendMessage, streamMessage } from "./client.ts";
import { fromAnthropicMessage, fromAnthropicStream } from "./from-stream.ts";
import { withoutThinking } from "./messages.ts";
import type { ClaudeTraits } from "./model-traits.ts";
import type { AnthropicSettings } from "./settings.ts";
import { type AnthropicCall, toAnthropicRequest } from "./to-request.ts";

/** All that a call depends on besides the request. */
interface AnthropicModelOptions {
  config: AnthropicSettings & { streaming: boolean };
  traits: ClaudeTraits;
  vendor: string;
  context: ProviderContext;
}

/** Makes each call ready for the Messages API. */
export function anthropicAdapter(options: AnthropicModelOptions): VendorAdapter {
  const client = anthropicClient(options.context);
  return { prepare: (request) => prepareCall(options, client, request), mapError: mapSdkError };
}

function prepareCall(
  { config, traits, vendor }: AnthropicModelOptions,
  client: ReturnType<typeof anthropicClient>,
  request: ModelRequest,
): PreparedCall {
  const call = toAnthropicRequest(request, config, traits, transformJSONSchema);
  const { signal } = request;
  const origin = { model: config.model, closing: call.closing };

  async function send(body: AnthropicCall["body"]): Promise<AsyncIterable<ModelEvent> | Iterable<ModelEvent>> {
    const options = { signal, ...(call.version ? { headers: { "anthropic-version": call.version } } : {}) };
    if (!config.streaming) return fromAnthropicMessage(await sendMessage(await client(), body, options), origin);
    return fromAnthropicStream(await streamMessage(await client(), body, options), vendor, origin);
  }

  return {
    warnings: call.warnings,
    async start() {
      try {
        return await send(call.body);
      } catch (error) {
        if (!refusesThinking(error)) throw error;
        const plain = { ...call.body, messages: withoutThinking(call.body.messages) };
        return saying(forgotten(config.model), await send(plain));
      }
    },
  };
}

/**
 * Whether the vendor refused thinking because something before it is not what it was, such as a date in the system prompt
 * of a run that was continued. Without the thinking the same request is taken.
 */
function refusesThinking(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.message.startsWith("400 ") &&
    /`?signature`? in `?thinking`? block/i.test(error.message)
  );
}

function forgotten(model: string): ModelEvent {
  return warning(
    `Something earlier in the conversation changed, so ${model} went on without its earlier thinking.`,
    "Its answer may be a little worse; a new conversation has all of it.",
  );
}

async function* saying(first: ModelEvent, rest: AsyncIterable<ModelEvent> | Iterable<ModelEvent>) {
  yield first;
  yield* rest;
}
