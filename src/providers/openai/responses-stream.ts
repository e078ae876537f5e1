import type {
  Response as OpenaiResponse,
  ResponseErrorEvent,
  ResponseOutputItem,
  ResponseStreamEvent,
  ResponseUsage,
} from "openai/resources/responses/responses";
import type { FinishReason, ModelEvent, Usage } from "../../engine/model/chat-model.ts";
import { z } from "zod/mini";
import type { AssistantMessage, Source } from "../../engine/model/message.ts";
import { cutError } from "../wire/call-error.ts";
import { addSources, citedPages, withSources } from "../wire/sources.ts";
import { translateEvents } from "../wire/translate-events.ts";
import { vendorError } from "../wire/vendor-error.ts";
import { VendorRefusal } from "../wire/vendor-refusal.ts";
import { errorIn } from "./error-shapes.ts";
import { parseLosslessJson } from "../../engine/lossless-json.ts";

/** An item that brings a picture. */
export const pictureCall = "image_generation_call";

/** An answer while it arrives. */
interface Arriving {
  items: ResponseOutputItem[];
  /** Which place of the output the last text came from; another one is set apart by an empty line. */
  textFrom?: number | string;
}

/**
 * The events of a streamed Responses answer as model events; ends with `finish` or `error`. Kinds of items that
 * Switchyard never asks for are passed over. Rejects as the body does.
 */
export function fromResponsesStream(response: Response, vendor: string): AsyncIterableIterator<ModelEvent> {
  const arriving: Arriving = { items: [] };
  let over = false;
  return translateEvents(response, {
    take(data) {
      if (over) return [];
      const event = parseLosslessJson(data) as ResponseStreamEvent;
      if (event?.type === undefined && errorIn(event))
        throw new VendorRefusal({ headers: response.headers, body: event });
      const events = takeEvent(arriving, event, vendor);
      over = events.some(({ type }) => type === "finish" || type === "error");
      return events;
    },
    end: () => (over ? [] : [{ type: "error", error: cutError(vendor, "the stream ended before the answer did.") }]),
  });
}

/** The vendor's error event; some gateways put the error into a member of its own. */
type ErrorEvent = Partial<ResponseErrorEvent> & { error?: Partial<ResponseErrorEvent> };

function takeEvent(arriving: Arriving, event: ResponseStreamEvent, vendor: string): ModelEvent[] {
  switch (event.type) {
    case "response.output_text.delta":
    case "response.refusal.delta": {
      if (!event.delta) return [];
      // Some proxies give every piece another item id.
      const place = event.output_index ?? event.item_id ?? "";
      const apart = arriving.textFrom !== undefined && arriving.textFrom !== place;
      arriving.textFrom = place;
      return [{ type: "text-delta", text: apart ? `${gap}${event.delta}` : event.delta }];
    }
    case "response.reasoning_summary_part.added":
      return event.summary_index > 0 ? [{ type: "reasoning-delta", text: gap }] : [];
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
      return event.delta ? [{ type: "reasoning-delta", text: event.delta }] : [];
    case "response.output_item.done":
      arriving.items.push(event.item);
      return [];
    case "response.completed":
    case "response.incomplete": {
      // The last event repeats all items; a proxy that leaves them out is no reason to lose them.
      const output = event.response.output?.length ? event.response.output : arriving.items;
      return [finished({ ...event.response, output })];
    }
    case "response.failed":
      return [failed(event.response, vendor)];
    case "error": {
      const { error, ...whole }: ErrorEvent = event;
      const { code, message = "It gave no reason." } = error ?? whole;
      return [{ type: "error", error: vendorError({ vendor, ...(code ? { code } : {}), message }) }];
    }
    default:
      return [];
  }
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
  const parts = toParts(response.output);
  const calls = parts.some((part) => part.type === "tool-call");
  const refused = response.output.some(
    (item) => item.type === "message" && item.content.some((content) => content.type === "refusal"),
  );
  const reason = response.incomplete_details?.reason;
  return {
    type: "finish",
    message: { role: "assistant", parts, ...withSources(sourcesOf(response.output)) },
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

/** Between two texts of one answer, such as a comment before a search and what came of it. */
const gap = "\n\n";

function toParts(items: readonly ResponseOutputItem[]): AssistantMessage["parts"] {
  const parts: AssistantMessage["parts"] = [];
  for (const item of items) {
    const before = parts.some((part) => part.type === "text") ? gap : "";
    parts.push(...toPart(item, before));
  }
  return parts;
}

function toPart(item: ResponseOutputItem, before: string): AssistantMessage["parts"] {
  switch (item.type) {
    case "message": {
      const text = item.content
        .map((content) => (content.type === "refusal" ? content.refusal : content.text))
        .join("");
      return text
        ? [{ type: "text", text: before + text, ...(item.phase ? { vendor: { phase: item.phase } } : {}) }]
        : [];
    }
    case "reasoning": {
      const summary = item.summary.map((entry) => ({ type: entry.type, text: entry.text }));
      const text = [...item.summary, ...(item.content ?? [])].map((entry) => entry.text).join(gap);
      const vendor = { id: item.id, summary, encrypted_content: item.encrypted_content ?? null };
      return [{ type: "reasoning", text, vendor }];
    }
    case "function_call":
      return [{ type: "tool-call", callId: item.call_id, toolName: item.name, arguments: item.arguments }];
    case "web_search_call":
      // The thought before it is refused without it.
      return [{ type: "reasoning", text: "", vendor: z.json().parse(item) }];
    case pictureCall: {
      if (!item.result) return [];
      const type = (item as { output_format?: string }).output_format ?? "png";
      return [
        { type: "image", url: `data:image/${type};base64,${item.result}`, vendor: { type: pictureCall, id: item.id } },
      ];
    }
    default:
      return [];
  }
}

/** What the text cites; what was found where it cites nothing. */
function sourcesOf(items: readonly ResponseOutputItem[]): Source[] {
  const sources: Source[] = [];
  for (const item of items) {
    if (item.type !== "message") continue;
    for (const content of item.content) addSources(sources, citedPages(content));
  }
  if (sources.length > 0) return sources;
  for (const item of items)
    if (item.type === "web_search_call" && item.action?.type === "search")
      addSources(sources, item.action.sources ?? []);
  return sources;
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
