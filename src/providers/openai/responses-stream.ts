import type {
  Response as OpenaiResponse,
  ResponseOutputItem,
  ResponseStreamEvent,
  ResponseUsage,
} from "openai/resources/responses/responses";
import type { FinishReason, ModelEvent, Usage } from "../../engine/model/chat-model.ts";
import type { AssistantMessage } from "../../engine/model/message.ts";
import { cutError } from "../wire/sdk-error.ts";
import { vendorError } from "../wire/vendor-error.ts";

/**
 * Responses API events as model events; ends with `finish` or `error`. Kinds of items that Switchyard never asks for
 * (web search, images and so on) are passed over. Rejections of `events` pass through.
 */
export async function* fromResponsesStream(
  events: AsyncIterable<ResponseStreamEvent>,
  vendor: string,
): AsyncGenerator<ModelEvent> {
  const items: ResponseOutputItem[] = [];
  for await (const event of events) {
    switch (event.type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        if (event.delta) yield { type: "text-delta", text: event.delta };
        break;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        if (event.delta) yield { type: "reasoning-delta", text: event.delta };
        break;
      case "response.output_item.done":
        items.push(event.item);
        break;
      case "response.completed":
      case "response.incomplete":
        // The last event repeats all items; a proxy that leaves them out is no reason to lose them.
        yield finished({ ...event.response, output: event.response.output?.length ? event.response.output : items });
        return;
      case "response.failed":
        yield failed(event.response, vendor);
        return;
      case "error":
        yield {
          type: "error",
          error: vendorError({ vendor, code: event.code ?? undefined, message: event.message }),
        };
        return;
      default:
        break;
    }
  }
  yield { type: "error", error: cutError(vendor, "the stream ended before the answer did.") };
}

/** A whole Responses answer as the same events. */
export function* fromResponse(response: OpenaiResponse, vendor: string): Generator<ModelEvent> {
  if (response.status === "failed") {
    yield failed(response, vendor);
    return;
  }
  const event = finished(response);
  if (event.type === "finish") {
    for (const part of event.message.parts) {
      if (part.type === "reasoning" && part.text) yield { type: "reasoning-delta", text: part.text };
      if (part.type === "text") yield { type: "text-delta", text: part.text };
    }
  }
  yield event;
}

function failed(response: OpenaiResponse, vendor: string): ModelEvent {
  const { code, message } = response.error ?? { code: "server_error", message: "It gave no reason." };
  return { type: "error", error: vendorError({ vendor, code, message }) };
}

function finished(response: OpenaiResponse): ModelEvent {
  const parts = response.output.flatMap(toParts);
  const calls = parts.some((part) => part.type === "tool-call");
  const refused = response.output.some(
    (item) => item.type === "message" && item.content.some((content) => content.type === "refusal"),
  );
  const reason = response.incomplete_details?.reason;
  return {
    type: "finish",
    message: { role: "assistant", parts },
    finishReason: finishReason(reason, calls, refused),
    rawFinishReason: reason ?? (refused ? "refusal" : response.status) ?? "completed",
    ...(response.usage ? { usage: toUsage(response.usage) } : {}),
  };
}

function finishReason(reason: string | undefined, calls: boolean, refused: boolean): FinishReason {
  if (reason === "max_output_tokens") return "length";
  if (reason === "content_filter" || refused) return "content-filter";
  if (reason !== undefined) return "other";
  return calls ? "tool-calls" : "stop";
}

function toParts(item: ResponseOutputItem): AssistantMessage["parts"] {
  switch (item.type) {
    case "message": {
      const text = item.content
        .map((content) => (content.type === "refusal" ? content.refusal : content.text))
        .join("");
      return text ? [{ type: "text", text, ...(item.phase ? { vendor: { phase: item.phase } } : {}) }] : [];
    }
    case "reasoning": {
      const summary = item.summary.map((entry) => ({ type: entry.type, text: entry.text }));
      const text = [...item.summary, ...(item.content ?? [])].map((entry) => entry.text).join("\n\n");
      const vendor = { id: item.id, summary, encrypted_content: item.encrypted_content ?? null };
      return [{ type: "reasoning", text, vendor }];
    }
    case "function_call":
      return [{ type: "tool-call", callId: item.call_id, toolName: item.name, arguments: item.arguments }];
    default:
      return [];
  }
}

function toUsage(usage: ResponseUsage): Usage {
  const cached = usage.input_tokens_details?.cached_tokens;
  const reasoning = usage.output_tokens_details?.reasoning_tokens;
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    ...(cached ? { cachedInputTokens: cached } : {}),
    ...(reasoning ? { reasoningTokens: reasoning } : {}),
  };
}
