import type {
  ContentBlock,
  Message as AnthropicMessage,
  MessageDeltaUsage,
  RawContentBlockDelta,
  RawMessageStreamEvent,
  StopReason,
  Usage as AnthropicUsage,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { z } from "zod/mini";
import type { FinishReason, ModelEvent, Usage } from "../../engine/model/chat-model.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../engine/json.ts";
import type { AssistantMessage, Source } from "../../engine/model/message.ts";
import type { ThinkingOrigin } from "./messages.ts";
import { cutError } from "../wire/call-error.ts";
import { addSources, pageIn, withSources } from "../wire/sources.ts";
import { translateEvents } from "../wire/translate-events.ts";
import { VendorRefusal } from "../wire/vendor-refusal.ts";
import { warning } from "../wire/warning.ts";
import { parseLosslessJson } from "../../engine/lossless-json.ts";

type Part = AssistantMessage["parts"][number];

/** One block while it arrives; the fields that its kind lacks stay empty. */
interface PartialBlock {
  kind: "text" | "thinking" | "redacted_thinking" | "tool_use" | "other";
  /** The block as it began, where its kind is not ours. */
  raw?: Json;
  text: string;
  /** Signature or redacted data. */
  proof: string;
  id: string;
  name: string;
  json: string;
  /** Pages that a text cites. */
  cited: Source[];
}

/** What the Messages API answers; an error also comes as a body of its own, from gateways with status 200, or as an event. */
export type WholeAnswer = AnthropicMessage | WholeError;

interface WholeError {
  type: "error";
  error: unknown;
}

/** An answer while it arrives. */
interface Arriving {
  blocks: Map<number, PartialBlock>;
  usage: Usage;
  reason?: StopReason;
}

const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

/**
 * The events of a streamed answer as model events; ends with `finish`, or with `error` when the stream stopped before the
 * message did. Rejects as the body does, and with a VendorRefusal.
 */
export function fromAnthropicStream(
  response: Response,
  vendor: string,
  origin: ThinkingOrigin,
): AsyncIterableIterator<ModelEvent> {
  const arriving: Arriving = { blocks: new Map(), usage: noUsage };
  return translateEvents(response, {
    take(data) {
      const event = parseLosslessJson(data) as RawMessageStreamEvent | WholeError;
      if (event.type === "error") throw new VendorRefusal({ headers: response.headers, body: event });
      return takeEvent(arriving, event);
    },
    end() {
      const { reason, usage } = arriving;
      const blocks = [...arriving.blocks.values()];
      if (reason !== undefined)
        return [...failedSearches(blocks), finish(toParts(blocks, reason, origin), sourcesOf(blocks), reason, usage)];
      return [{ type: "error", error: cutError(vendor, "the stream ended before the answer did.") }];
    },
  });
}

function takeEvent(arriving: Arriving, event: RawMessageStreamEvent): ModelEvent[] {
  switch (event.type) {
    case "message_start":
      arriving.usage = toUsage(event.message.usage, arriving.usage);
      return [];
    case "content_block_start": {
      const block = startBlock(event.content_block);
      arriving.blocks.set(event.index, block);
      return block.kind === "text" && block.text ? [{ type: "text-delta", text: block.text }] : [];
    }
    case "content_block_delta": {
      const block = arriving.blocks.get(event.index);
      return block ? grow(block, event.delta) : [];
    }
    case "message_delta":
      arriving.usage = toUsage(event.usage, arriving.usage);
      if (event.delta.stop_reason) arriving.reason = event.delta.stop_reason;
      return explained(event.delta.stop_details);
    case "message_stop":
    case "content_block_stop":
      return [];
    default:
      // The vendor adds kinds of events; none that is unknown carries what was asked for.
      event satisfies never;
      return [];
  }
}

/** Adds a piece to its block. */
function grow(block: PartialBlock, delta: RawContentBlockDelta): ModelEvent[] {
  switch (delta.type) {
    case "text_delta":
      block.text += delta.text;
      return [{ type: "text-delta", text: delta.text }];
    case "thinking_delta":
      block.text += delta.thinking ?? "";
      return delta.thinking ? [{ type: "reasoning-delta", text: delta.thinking }] : [];
    case "signature_delta":
      block.proof += delta.signature ?? "";
      return [];
    case "input_json_delta":
      block.json += delta.partial_json;
      return [];
    case "citations_delta":
      addSources(block.cited, pageIn(delta.citation));
      return [];
    default:
      return [];
  }
}

/** The answer's parts. Arguments that never came because the tokens ran out are not those of a call without arguments. */
function toParts(blocks: readonly PartialBlock[], reason: StopReason, origin: ThinkingOrigin): Part[] {
  const parts = blocks.flatMap((block) => toPart(block, origin));
  const last = blocks.at(-1);
  const call = parts.at(-1);
  const isCut = reason === "max_tokens" || reason === "model_context_window_exceeded";
  if (!isCut || last?.kind !== "tool_use" || last.json !== "" || call?.type !== "tool-call") return parts;
  return [...parts.slice(0, -1), { ...call, arguments: "" }];
}

/** A whole Messages answer as the same events. Throws a VendorRefusal where it is an error that came as if all were well. */
export function* fromAnthropicMessage(
  message: WholeAnswer,
  headers: Headers,
  origin: ThinkingOrigin,
): Generator<ModelEvent> {
  if (message.type === "error") throw new VendorRefusal({ headers, body: message });
  const reason = message.stop_reason ?? "end_turn";
  const blocks = message.content.map(startBlock);
  const parts = toParts(blocks, reason, origin);
  for (const part of parts) {
    if (part.type === "text") yield { type: "text-delta", text: part.text };
    if (part.type === "reasoning" && part.text) yield { type: "reasoning-delta", text: part.text };
  }
  yield* explained(message.stop_details);
  yield* failedSearches(blocks);
  yield finish(parts, sourcesOf(blocks), reason, toUsage(message.usage, noUsage));
}

/** The pages that the answer cites; else those that its searches found. */
function sourcesOf(blocks: readonly PartialBlock[]): Source[] {
  const sources: Source[] = [];
  for (const { cited } of blocks) addSources(sources, cited);
  if (sources.length > 0) return sources;
  for (const { raw } of blocks) {
    const { data } = foundPages.safeParse(raw);
    addSources(sources, (data?.content ?? []).flatMap(pageIn));
  }
  return sources;
}

const foundPages = z.object({ type: z.literal("web_search_tool_result"), content: z.array(z.unknown()) });
const failedSearch = z.object({
  type: z.literal("web_search_tool_result"),
  content: z.object({ error_code: z.string() }),
});

/** Why a search was not made, by the vendor's code ("Web search tool", errors). */
const searchFailures: Record<string, string> = {
  max_uses_exceeded: "The limit of searches for one answer was reached.",
  too_many_requests: "The vendor is busy.",
  unavailable: "The vendor's search is unavailable.",
  query_too_long: "The query was too long.",
};

function failedSearches(blocks: readonly PartialBlock[]): ModelEvent[] {
  return blocks.flatMap(({ raw }) => {
    const { data } = failedSearch.safeParse(raw);
    if (!data) return [];
    const code = data.content.error_code;
    return warning(
      `A web search of the model failed: ${searchFailures[code] ?? code}`,
      "The answer was written without it. Ask again if it lacks something.",
    );
  });
}

function finish(parts: Part[], sources: readonly Source[], reason: StopReason, usage: Usage): ModelEvent {
  return {
    type: "finish",
    message: { role: "assistant", parts, ...withSources(sources) },
    finishReason: mapStopReason(reason),
    rawFinishReason: reason,
    usage,
  };
}

/** The vendor's word in ours. */
function mapStopReason(reason: StopReason): FinishReason {
  switch (reason) {
    case "end_turn":
    case "stop_sequence":
      return "stop";
    case "tool_use":
      return "tool-calls";
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "refusal":
      return "content-filter";
    case "pause_turn":
      return "pause";
    default:
      // A word that the vendor added later.
      reason satisfies never;
      return "other";
  }
}

function explained(details: { explanation: string | null } | null | undefined): ModelEvent[] {
  if (!details?.explanation) return [];
  return [warning(`Claude declined: ${details.explanation}`, "Rephrase the message, or choose another model.")];
}

function startBlock(block: ContentBlock): PartialBlock {
  const emptyBlock = { text: "", proof: "", id: "", name: "", json: "", cited: [] };
  switch (block.type) {
    case "text":
      return { ...emptyBlock, kind: "text", text: block.text ?? "", cited: (block.citations ?? []).flatMap(pageIn) };
    case "thinking":
      // Gateways leave members out that come later.
      return { ...emptyBlock, kind: "thinking", text: block.thinking ?? "", proof: block.signature ?? "" };
    case "redacted_thinking":
      return { ...emptyBlock, kind: "redacted_thinking", proof: block.data };
    case "tool_use": {
      // A whole answer carries the input here, a stream starts with an empty object and sends the text after it.
      const json = JSON.stringify(block.input ?? {});
      return { ...emptyBlock, kind: "tool_use", id: block.id, name: block.name, json: json === "{}" ? "" : json };
    }
    default:
      // Such as a search that the vendor makes by itself: it wants the block back when the turn goes on.
      return { ...emptyBlock, kind: "other", raw: json(block) };
  }
}

function toPart(block: PartialBlock, { model, closing }: ThinkingOrigin): Part[] {
  const from = { model, ...(closing.length > 0 ? { closing: [...closing] } : {}) };
  switch (block.kind) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text }];
    case "thinking":
    case "redacted_thinking":
      return [{ type: "reasoning", text: block.text, vendor: { type: block.kind, proof: block.proof, ...from } }];
    case "tool_use":
      return [{ type: "tool-call", callId: block.id, toolName: block.name, arguments: block.json || "{}" }];
    case "other":
      return isJsonObject(block.raw)
        ? [
            {
              type: "reasoning",
              text: "",
              vendor: { type: "block", block: wholeBlock(block.raw, block.json), ...from },
            },
          ]
        : [];
    default:
      return block.kind satisfies never;
  }
}

/** What arrived, as data. */
function json(value: unknown): Json {
  return z.json().parse(value);
}

/** A block of the vendor's own with the input that was streamed after it. */
function wholeBlock(raw: JsonObject, input: string): JsonObject {
  const given = parseJson(input);
  return given === undefined ? raw : { ...raw, input: given };
}

/** Anthropic counts cached tokens apart from the input; ours includes them. Later counts replace earlier ones. */
function toUsage(usage: AnthropicUsage | MessageDeltaUsage, before: Usage): Usage {
  const cached = usage.cache_read_input_tokens ?? undefined;
  const fresh = usage.input_tokens ?? undefined;
  const thought = usage.output_tokens_details?.thinking_tokens;
  const input =
    fresh === undefined ? before.inputTokens : fresh + (cached ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  return {
    ...before,
    inputTokens: input,
    outputTokens: usage.output_tokens ?? before.outputTokens,
    ...(cached ? { cachedInputTokens: cached } : {}),
    ...(thought ? { reasoningTokens: thought } : {}),
  };
}
