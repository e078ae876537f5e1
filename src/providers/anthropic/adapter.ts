import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import type { ModelEvent, ModelRequest } from "../../engine/model/chat-model.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { mapCallError } from "../wire/call-error.ts";
import type { PreparedCall, VendorAdapter } from "../wire/vendor-chat-model.ts";
import { VendorRefusal } from "../wire/vendor-refusal.ts";
import { isWhole, readWhole, type VendorSender } from "../wire/vendor-sender.ts";
import { warning } from "../wire/warning.ts";
import { anthropicSender } from "./client.ts";
import { fromAnthropicMessage, fromAnthropicStream, type WholeAnswer } from "./from-stream.ts";
import { withoutThinking } from "./messages.ts";
import type { ClaudeTraits } from "./model-traits.ts";
import type { AnthropicSettings } from "./anthropic-settings.ts";
import { type AnthropicCall, toAnthropicRequest } from "./to-request.ts";

/** All that a call depends on besides the request. */
interface AnthropicModelOptions {
  config: AnthropicSettings;
  traits: ClaudeTraits;
  vendor: string;
  context: ProviderContext;
}

/** Makes each call ready for the Messages API. */
export function anthropicAdapter(options: AnthropicModelOptions): VendorAdapter {
  const send = anthropicSender(options.context);
  return { prepare: (request) => prepareCall(options, send, request), mapError: mapCallError };
}

function prepareCall(
  { config, traits, vendor }: AnthropicModelOptions,
  send: VendorSender,
  request: ModelRequest,
): PreparedCall {
  const call = toAnthropicRequest(request, config, traits, transformJSONSchema);
  const { signal } = request;
  const origin = { model: config.model, closing: call.closing };

  async function ask(body: AnthropicCall["body"]): Promise<AsyncIterable<ModelEvent> | Iterable<ModelEvent>> {
    const response = await send({
      path: "/v1/messages",
      body: config.streaming ? { ...body, stream: true } : body,
      ...(call.version ? { headers: { "anthropic-version": call.version } } : {}),
      signal,
    });
    if (config.streaming && !isWhole(response)) return fromAnthropicStream(response, vendor, origin);
    return fromAnthropicMessage((await readWhole(response)) as WholeAnswer, response.headers, origin);
  }

  return {
    warnings: call.warnings,
    async start() {
      try {
        return await ask(call.body);
      } catch (error) {
        if (!refusesThinking(error)) throw error;
        const plain = { ...call.body, messages: withoutThinking(call.body.messages) };
        return saying(forgotten(config.model), await ask(plain));
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
    error instanceof VendorRefusal && error.status === 400 && /`?signature`? in `?thinking`? block/i.test(error.message)
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
