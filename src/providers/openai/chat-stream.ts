import type { ChatCompletion, ChatCompletionChunk } from "openai/resources/chat/completions";
import type { CompletionUsage } from "openai/resources/completions";
import { z } from "zod/mini";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../engine/json.ts";
import type { ModelEvent, Usage } from "../../engine/model/chat-model.ts";
import type { AssistantMessage, Source } from "../../engine/model/message.ts";
import { cutError } from "../wire/call-error.ts";
import { createThoughtReader, type ThoughtReader } from "../wire/leading-thought.ts";
import { addSources, citedPages, withSources } from "../wire/sources.ts";
import { translateEvents } from "../wire/translate-events.ts";
import { VendorRefusal } from "../wire/vendor-refusal.ts";
import { errorIn } from "./error-shapes.ts";
import { mapFinishReason } from "./finish-reason.ts";
import { parseLosslessJson } from "../../engine/lossless-json.ts";

interface PartialCall {
  index: number;
  id: string;
  name: string;
  arguments: string;
}

/** An answer while it arrives; both the streamed and the whole form end in `finished`. */
interface Answer {
  text: string;
  refusal: string;
  reasoning: string;
  thoughts: ThoughtReader;
  /** The member that the thinking came in, where its server wants it back. */
  reasoningField?: "reasoning_content" | "thinking";
  details: JsonObject[];
  /** What the server read in the files that it was sent. */
  readings: JsonObject[];
  sources: Source[];
  images: string[];
  calls: PartialCall[];
  finishReason?: string;
  usage?: Usage;
}

function emptyAnswer(): Answer {
  const thoughts = createThoughtReader();
  return {
    text: "",
    refusal: "",
    reasoning: "",
    thoughts,
    details: [],
    readings: [],
    sources: [],
    images: [],
    calls: [],
  };
}

/**
 * The chunks of a streamed Chat Completions answer as model events. Ends with `finish`, or with `error` when the server
 * stopped without saying why. Some servers (Kimi at OpenRouter, Snowflake) only say that nothing follows: that ends an answer
 * whose calls are whole. Rejects as the body does, and with a VendorRefusal. `newId` names calls that a server sent
 * without an id.
 */
export function fromChatStream(
  response: Response,
  vendor: string,
  newId: () => string,
): AsyncIterableIterator<ModelEvent> {
  const answer = emptyAnswer();
  return translateEvents(response, {
    take(data) {
      const chunk = parseLosslessJson(data) as ChatCompletionChunk;
      if (errorIn(chunk)) throw new VendorRefusal({ headers: response.headers, body: chunk });
      return takeChunk(answer, chunk);
    },
    end(_stray, saidDone) {
      const rest = atEnd(answer);
      const { finishReason } = answer;
      if (finishReason === undefined ? saidDone && isWhole(answer) : finishReason !== "error")
        return [...rest, finished(answer, newId)];
      return [{ type: "error", error: cutError(vendor, "the stream ended before the answer did.") }];
    },
  });
}

/** Whether there is an answer, and nothing in it was cut. */
function isWhole({ text, refusal, images, calls }: Answer): boolean {
  const hasContent = text !== "" || refusal !== "" || images.length > 0 || calls.length > 0;
  return hasContent && calls.every((call) => call.arguments === "" || isJsonObject(parseJson(call.arguments)));
}

function takeChunk(answer: Answer, chunk: ChatCompletionChunk): ModelEvent[] {
  const events: ModelEvent[] = [];
  if (chunk.usage) answer.usage = toUsage(chunk.usage);
  addSources(answer.sources, citedPages(chunk));
  const choice: (ChatCompletionChunk.Choice & { usage?: CompletionUsage }) | undefined = chunk.choices?.[0];
  if (!choice) return events;
  // Kimi's place for it.
  if (choice.usage) answer.usage = toUsage(choice.usage);
  const delta = choice.delta;
  if (delta) {
    const { text, thought } = piecesOf(answer, delta);
    if (thought) {
      answer.reasoning += thought;
      events.push({ type: "reasoning-delta", text: thought });
    }
    if (text) {
      answer.text += text;
      events.push({ type: "text-delta", text });
    } else if (delta.refusal) {
      answer.refusal += delta.refusal;
      events.push({ type: "text-delta", text: delta.refusal });
    }
    addDetails(answer, delta);
    answer.readings.push(...readingsIn(delta));
    answer.images.push(...picturesOf(delta));
    addSources(answer.sources, citedPages(delta));
    if (delta.tool_calls) for (const call of delta.tool_calls) addCall(answer.calls, call);
  }
  if (choice.finish_reason) answer.finishReason = choice.finish_reason;
  return events;
}

/** A whole Chat Completions answer as the same events. Throws a VendorRefusal where it is an error that came as if all were well. */
export function* fromChatCompletion(
  completion: ChatCompletion,
  vendor: string,
  newId: () => string,
  headers: Headers,
): Generator<ModelEvent> {
  if (errorIn(completion)) throw new VendorRefusal({ headers, body: completion });
  const answer = emptyAnswer();
  const choice = completion.choices?.[0];
  if (!choice) {
    yield { type: "error", error: cutError(vendor, "the answer holds no choice.") };
    return;
  }
  if (completion.usage) answer.usage = toUsage(completion.usage);
  const { text, thought } = piecesOf(answer, choice.message);
  answer.text = text + answer.thoughts.end().text;
  answer.refusal = choice.message.refusal ?? "";
  answer.reasoning = thought;
  addDetails(answer, choice.message);
  answer.readings.push(...readingsIn(choice.message));
  answer.images.push(...picturesOf(choice.message));
  addSources(answer.sources, [...citedPages(completion), ...citedPages(choice.message)]);
  for (const [index, call] of (choice.message.tool_calls ?? []).entries()) {
    if (call.type === "custom") continue;
    addCall(answer.calls, { index, id: call.id, function: call.function });
  }
  // Some servers leave it empty or out.
  if (choice.finish_reason) answer.finishReason = choice.finish_reason;
  if (answer.reasoning) yield { type: "reasoning-delta", text: answer.reasoning };
  if (answer.text) yield { type: "text-delta", text: answer.text };
  if (answer.refusal) yield { type: "text-delta", text: answer.refusal };
  yield finished(answer, newId);
}

/** What was held back until it was clear whether it is a thought. */
function atEnd(answer: Answer): ModelEvent[] {
  const { text, thought } = answer.thoughts.end();
  answer.text += text;
  answer.reasoning += thought;
  return [
    ...(thought ? [{ type: "reasoning-delta" as const, text: thought }] : []),
    ...(text ? [{ type: "text-delta" as const, text }] : []),
  ];
}

function finished(answer: Answer, newId: () => string): ModelEvent {
  const parts: AssistantMessage["parts"] = [];
  if (answer.reasoning || answer.details.length > 0) {
    const vendor = {
      ...(answer.details.length > 0 ? { reasoning_details: answer.details } : {}),
      ...(answer.reasoningField ? { field: answer.reasoningField } : {}),
    };
    parts.push({ type: "reasoning", text: answer.reasoning, ...(Object.keys(vendor).length > 0 ? { vendor } : {}) });
  }
  const text = answer.text + answer.refusal;
  if (text) parts.push({ type: "text", text, ...withReadings(answer.readings) });
  for (const url of answer.images) parts.push({ type: "image", url });
  for (const call of answer.calls) {
    parts.push({ type: "tool-call", callId: call.id || newId(), toolName: call.name, arguments: call.arguments });
  }
  const refused = answer.refusal !== "";
  return {
    type: "finish",
    message: { role: "assistant", parts, ...withSources(answer.sources) },
    finishReason: mapFinishReason(answer.finishReason, { calls: answer.calls.length, refused }),
    rawFinishReason: refused && answer.finishReason === "stop" ? "refusal" : answer.finishReason,
    ...(answer.usage ? { usage: answer.usage } : {}),
  };
}

/** OpenRouter reads a PDF once and is spared a second, paid reading where its annotations go back ("PDF inputs"). */
function readingsIn(holder: object): JsonObject[] {
  const { annotations } = holder as JsonObject;
  if (!Array.isArray(annotations)) return [];
  return annotations.filter((each): each is JsonObject => isJsonObject(each) && each.type === "file");
}

/** Longest readings, in characters of JSON, that a conversation keeps. */
const longestReadings = 500_000;

function withReadings(annotations: JsonObject[]): { vendor?: JsonObject } {
  if (annotations.length === 0 || JSON.stringify(annotations).length > longestReadings) return {};
  return { vendor: { annotations } };
}

const pictures = z.array(z.object({ image_url: z.object({ url: z.string().check(z.startsWith("data:image/")) }) }));

/** Pictures that a model made, in the member in which OpenRouter and others send them whole. */
function picturesOf(delta: object): string[] {
  const { data = [] } = pictures.safeParse("images" in delta ? delta.images : []);
  return data.map((picture) => picture.image_url.url);
}

/**
 * Adds a fragment to the call that it belongs to. The first fragment carries id and name, later ones only more of the
 * arguments. Some servers send every call whole under index 0, so a new id starts a new call.
 */
function addCall(calls: PartialCall[], part: ChatCompletionChunk.Choice.Delta.ToolCall): void {
  const index = part.index ?? calls.length;
  let call = calls.findLast((candidate) => candidate.index === index);
  if (!call || (part.id && call.id && part.id !== call.id)) {
    call = { index, id: "", name: "", arguments: "" };
    calls.push(call);
  }
  if (part.id) call.id = part.id;
  if (part.function?.name && !call.name) call.name = part.function.name;
  const written: unknown = part.function?.arguments;
  // Some servers send them as an object.
  if (written) call.arguments += typeof written === "string" ? written : JSON.stringify(written);
}

/**
 * Text and thinking of a delta or message. Thinking has the names that compatible servers use: DeepSeek, Kimi and vLLM, then
 * OpenRouter and Ollama; Mistral has both among the parts of the content.
 */
function piecesOf(answer: Answer, delta: object): { text: string; thought: string } {
  const content: unknown = "content" in delta ? delta.content : undefined;
  let text = "";
  let thought = "";
  if (typeof content === "string") text = content;
  else if (Array.isArray(content)) {
    for (const part of content) {
      if (!isJsonObject(part)) continue;
      if (part.type === "thinking") {
        thought += typeof part.thinking === "string" ? part.thinking : joinedText(part.thinking);
        answer.reasoningField = "thinking";
      } else if (typeof part.text === "string") text += part.text;
    }
  }
  if ("reasoning_content" in delta && typeof delta.reasoning_content === "string") {
    thought += delta.reasoning_content;
    if (delta.reasoning_content !== "") answer.reasoningField = "reasoning_content";
  } else if ("reasoning" in delta && typeof delta.reasoning === "string") thought += delta.reasoning;
  const pieces = answer.thoughts.take(text);
  return { text: pieces.text, thought: thought + pieces.thought };
}

function joinedText(parts: unknown): string {
  if (!Array.isArray(parts)) return "";
  return parts.map((part) => (isJsonObject(part) && typeof part.text === "string" ? part.text : "")).join("");
}

/** OpenRouter streams a note in pieces, which go back as one: its signature holds for the whole. */
function addDetails(answer: Answer, delta: object): void {
  if (!("reasoning_details" in delta) || !Array.isArray(delta.reasoning_details)) return;
  for (const detail of delta.reasoning_details) {
    if (!isJsonObject(detail)) continue;
    const last = answer.details.at(-1);
    const member =
      detail.type === "reasoning.text" ? "text" : detail.type === "reasoning.summary" ? "summary" : undefined;
    if (!last || !member || last.type !== detail.type || last.index !== detail.index) {
      answer.details.push(detail);
      continue;
    }
    const given = Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== null));
    const joined = `${stringOf(last[member])}${stringOf(detail[member])}`;
    answer.details[answer.details.length - 1] = { ...last, ...given, [member]: joined };
  }
}

function stringOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/**
 * The counts as the servers name them; cached input is OpenAI's, DeepSeek's and Kimi's member, in this order. Mistral tells the length
 * of audio input, and its tokens in the sum alone.
 */
type ServerUsage = CompletionUsage & {
  prompt_cache_hit_tokens?: number;
  cached_tokens?: number;
  prompt_audio_seconds?: number | null;
};

function toUsage(usage: ServerUsage): Usage {
  const cached = usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  const written = usage.completion_tokens ?? 0;
  const unexplained = Math.max(0, (usage.total_tokens ?? 0) - (usage.prompt_tokens ?? 0) - written);
  const heard = usage.prompt_audio_seconds ? unexplained : 0;
  // xAI and Gemini count thinking beside the answer and show it in the sum alone; OpenAI counts it as part of the answer.
  const thought = Math.max(unexplained - heard, reasoning > written ? reasoning : 0);
  return {
    inputTokens: (usage.prompt_tokens ?? 0) + heard,
    outputTokens: written + thought,
    ...(cached ? { cachedInputTokens: cached } : {}),
    ...(reasoning ? { reasoningTokens: reasoning } : {}),
  };
}
