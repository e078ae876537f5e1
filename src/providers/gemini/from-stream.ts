import type { Candidate, FunctionCall, GenerateContentResponse, Part } from "@google/genai/web";
import type { FinishReason, ModelEvent, Usage } from "../../engine/model/chat-model.ts";
import { parseJson } from "../../engine/json.ts";
import { z } from "zod/mini";
import type { AssistantMessage, Source } from "../../engine/model/message.ts";
import { cutError } from "../wire/call-error.ts";
import { addSources, pageIn, withSources } from "../wire/sources.ts";
import { translateEvents } from "../wire/translate-events.ts";
import { blockedError, throwRefusal } from "./map-error.ts";
import { addPartialArguments } from "./partial-arguments.ts";
import { parseLosslessJson } from "../../engine/lossless-json.ts";

type AnswerPart = AssistantMessage["parts"][number];

/** An answer while it arrives. */
interface Answer {
  parts: AnswerPart[];
  /** A call whose arguments are still coming. */
  open?: { call: FunctionCall; vendor: { thoughtSignature: string } | undefined; args: Record<string, unknown> };
  sources: Source[];
  usage?: Usage;
  finishReason?: string;
  finishMessage?: string;
  blocked?: string;
}

/** What is read of each piece of an answer. */
export type GeminiChunk = Pick<GenerateContentResponse, "candidates" | "promptFeedback" | "usageMetadata">;

/**
 * Gemini's chunks as model events; ends with `finish` or `error`. Rejects as the body does, and with a VendorRefusal, also for an
 * error that stands bare in the stream. `newId` names calls, since most models send none.
 */
export function fromGeminiStream(
  response: Response,
  vendor: string,
  newId: () => string,
): AsyncIterableIterator<ModelEvent> {
  const answer: Answer = { parts: [], sources: [] };
  return translateEvents(response, {
    take(data) {
      const chunk = parseLosslessJson(data) as GeminiChunk;
      throwRefusal(chunk, response.headers);
      return takeChunk(answer, chunk, newId);
    },
    end(stray) {
      throwRefusal(parseJson(stray), response.headers);
      return [finished(answer, vendor, newId)];
    },
  });
}

/** An answer in one piece is a stream of one chunk. */
export function fromGeminiAnswer(
  whole: GeminiChunk,
  headers: Headers,
  vendor: string,
  newId: () => string,
): ModelEvent[] {
  throwRefusal(whole, headers);
  const answer: Answer = { parts: [], sources: [] };
  return [...takeChunk(answer, whole, newId), finished(answer, vendor, newId)];
}

function takeChunk(answer: Answer, chunk: GeminiChunk, newId: () => string): ModelEvent[] {
  if (chunk.usageMetadata) answer.usage = toUsage(chunk.usageMetadata);
  const { blockReason, blockReasonMessage } = chunk.promptFeedback ?? {};
  if (blockReason) answer.blocked = blockReasonMessage ?? blockReason;
  const candidate = chunk.candidates?.[0];
  const parts = candidate?.content?.parts ?? [];
  for (const part of parts) addPart(answer, part, newId);
  addSources(answer.sources, sourcesOf(candidate));
  if (candidate?.finishReason) answer.finishReason = candidate.finishReason;
  if (candidate?.finishMessage) answer.finishMessage = candidate.finishMessage;
  return parts.flatMap(({ text, thought }) =>
    text ? [{ type: thought ? "reasoning-delta" : "text-delta", text } satisfies ModelEvent] : [],
  );
}

/** The pages that an answer is grounded on, and those that it read. */
function sourcesOf(candidate: Candidate | undefined): Source[] {
  const found = candidate?.groundingMetadata?.groundingChunks ?? [];
  const read = candidate?.urlContextMetadata?.urlMetadata ?? [];
  return [
    ...found.flatMap(({ web }) => pageIn(web)),
    ...read.flatMap(({ retrievedUrl, urlRetrievalStatus: status }) =>
      retrievedUrl && !/ERROR|UNSAFE|PAYWALL/.test(status ?? "") ? [{ url: retrievedUrl }] : [],
    ),
  ];
}

function finished(answer: Answer, vendor: string, newId: () => string): ModelEvent {
  closeCall(answer, newId);
  const { parts, usage, finishReason } = answer;
  if (answer.blocked !== undefined) return { type: "error", error: blockedError(vendor, answer.blocked) };
  if (finishReason === undefined) {
    return { type: "error", error: cutError(vendor, "the stream ended before the answer did.") };
  }
  if (finishReason === "MALFORMED_FUNCTION_CALL" && !parts.some((part) => part.type !== "reasoning")) {
    const reason = answer.finishMessage ?? "the model wrote a tool call that cannot be read.";
    return { type: "error", error: cutError(vendor, reason) };
  }
  const calls = parts.some((part) => part.type === "tool-call");
  return {
    type: "finish",
    message: { role: "assistant", parts, ...withSources(answer.sources) },
    finishReason: mapFinishReason(finishReason, calls),
    rawFinishReason: finishReason,
    ...(usage ? { usage } : {}),
  };
}

/** The vendor's word in ours. */
function mapFinishReason(reason: string, calls: boolean): FinishReason {
  switch (reason) {
    case "STOP":
      return calls ? "tool-calls" : "stop";
    case "MAX_TOKENS":
      return "length";
    case "SAFETY":
    case "RECITATION":
    case "BLOCKLIST":
    case "PROHIBITED_CONTENT":
    case "SPII":
    case "IMAGE_SAFETY":
    case "IMAGE_PROHIBITED_CONTENT":
    case "IMAGE_RECITATION":
      return "content-filter";
    // The vendor could not read what the model wrote as a call, or it called without being allowed to.
    case "MALFORMED_FUNCTION_CALL":
    case "UNEXPECTED_TOOL_CALL":
    case "TOO_MANY_TOOL_CALLS":
    case "LANGUAGE":
    case "OTHER":
      return "other";
    default:
      return calls ? "tool-calls" : "other";
  }
}

/** Joins pieces of text and thought; a signature stays with the part that it came with, or the text before it. */
function addPart(answer: Answer, part: Part, newId: () => string): void {
  const { parts } = answer;
  const vendor = part.thoughtSignature !== undefined ? { thoughtSignature: part.thoughtSignature } : undefined;
  if (part.functionCall) {
    addCall(answer, part.functionCall, vendor, newId);
    return;
  }
  // A tool of Google's own was used: the model wants to see that again as it was ("Tool combination").
  if (part.toolCall || part.toolResponse) {
    parts.push({ type: "reasoning", text: "", vendor: { part: z.json().parse(part) } });
    return;
  }
  if (part.inlineData?.mimeType?.startsWith("image/") && part.inlineData.data) {
    // A thinking model draws drafts; only the last picture is the answer.
    if (part.thought) return;
    const url = `data:${part.inlineData.mimeType};base64,${part.inlineData.data}`;
    parts.push({ type: "image", url, ...(vendor ? { vendor } : {}) });
    return;
  }
  if (part.text === undefined) return;
  const type = part.thought ? "reasoning" : "text";
  const last = parts.at(-1);
  if (last?.type === type && last.vendor === undefined) {
    parts[parts.length - 1] = { type, text: last.text + part.text, ...(vendor ? { vendor } : {}) };
  } else if (part.text !== "" || vendor) {
    parts.push({ type, text: part.text, ...(vendor ? { vendor } : {}) });
  }
}

/** A call is whole, or its arguments come in pieces under its name until one says that none follows. */
function addCall(
  answer: Answer,
  call: FunctionCall,
  vendor: { thoughtSignature: string } | undefined,
  newId: () => string,
): void {
  const { partialArgs = [], willContinue } = call;
  if (!answer.open && partialArgs.length === 0 && !willContinue) {
    answer.parts.push(toCall(call, vendor, newId));
    return;
  }
  if (!answer.open || (call.name && call.name !== answer.open.call.name)) closeCall(answer, newId);
  answer.open ??= { call, vendor, args: { ...call.args } };
  answer.open.vendor ??= vendor;
  addPartialArguments(answer.open.args, partialArgs);
  if (!willContinue) closeCall(answer, newId);
}

function closeCall(answer: Answer, newId: () => string): void {
  if (!answer.open) return;
  const { call, vendor, args } = answer.open;
  delete answer.open;
  answer.parts.push(toCall({ ...call, args }, vendor, newId));
}

function toCall(call: FunctionCall, vendor: { thoughtSignature: string } | undefined, newId: () => string): AnswerPart {
  const kept = { ...vendor, ...(call.id ? { id: call.id } : {}) };
  return {
    type: "tool-call",
    callId: call.id || newId(),
    toolName: call.name ?? "",
    arguments: JSON.stringify(call.args ?? {}),
    ...(Object.keys(kept).length > 0 ? { vendor: kept } : {}),
  };
}

function toUsage(usage: NonNullable<GenerateContentResponse["usageMetadata"]>): Usage {
  const thought = usage.thoughtsTokenCount ?? 0;
  const cached = usage.cachedContentTokenCount ?? 0;
  return {
    inputTokens: (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0),
    outputTokens: (usage.candidatesTokenCount ?? 0) + thought,
    ...(cached > 0 ? { cachedInputTokens: cached } : {}),
    ...(thought > 0 ? { reasoningTokens: thought } : {}),
  };
}
