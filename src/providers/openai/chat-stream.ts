import type { ChatCompletion, ChatCompletionChunk } from "openai/resources/chat/completions";
import type { CompletionUsage } from "openai/resources/completions";
import type { Json } from "../../engine/json.ts";
import type { ModelEvent, Usage } from "../../engine/model/chat-model.ts";
import type { AssistantMessage } from "../../engine/model/message.ts";
import { cutError } from "../wire/sdk-error.ts";
import { StreamRefusal, translateEvents } from "../wire/translate-events.ts";
import { mapFinishReason } from "./finish-reason.ts";

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
  details: Json[];
  calls: PartialCall[];
  finishReason?: string;
  usage?: Usage;
}

function emptyAnswer(): Answer {
  return { text: "", refusal: "", reasoning: "", details: [], calls: [] };
}

/**
 * The chunks of a streamed Chat Completions answer as model events. Ends with `finish`, or with `error` when the server
 * stopped without saying why. Rejects as the body does, and with a StreamRefusal. `newId` names calls that a server sent
 * without an id.
 */
export function fromChatStream(
  response: Response,
  vendor: string,
  newId: () => string,
): AsyncIterableIterator<ModelEvent> {
  const answer = emptyAnswer();
  let done = false;
  return translateEvents(response, {
    take(data) {
      done ||= data.startsWith("[DONE]");
      if (done) return [];
      const chunk: ChatCompletionChunk & { error?: unknown } = JSON.parse(data);
      if (chunk?.error) throw new StreamRefusal(chunk.error, response.headers);
      return takeChunk(answer, chunk);
    },
    end() {
      if (answer.finishReason !== undefined && answer.finishReason !== "error") return [finished(answer, newId)];
      return [{ type: "error", error: cutError(vendor, "the stream ended before the answer did.") }];
    },
  });
}

function takeChunk(answer: Answer, chunk: ChatCompletionChunk): ModelEvent[] {
  const events: ModelEvent[] = [];
  if (chunk.usage) answer.usage = toUsage(chunk.usage);
  const choice = chunk.choices?.[0];
  if (!choice) return events;
  const delta = choice.delta;
  if (delta) {
    if (delta.content) {
      answer.text += delta.content;
      events.push({ type: "text-delta", text: delta.content });
    } else if (delta.refusal) {
      answer.refusal += delta.refusal;
      events.push({ type: "text-delta", text: delta.refusal });
    }
    const thought = reasoningText(delta);
    if (thought) {
      answer.reasoning += thought;
      events.push({ type: "reasoning-delta", text: thought });
    }
    addDetails(answer, delta);
    if (delta.tool_calls) for (const call of delta.tool_calls) addCall(answer.calls, call);
  }
  if (choice.finish_reason) answer.finishReason = choice.finish_reason;
  return events;
}

/** A whole Chat Completions answer as the same events. */
export function* fromChatCompletion(
  completion: ChatCompletion,
  vendor: string,
  newId: () => string,
): Generator<ModelEvent> {
  const answer = emptyAnswer();
  const choice = completion.choices?.[0];
  if (!choice) {
    yield { type: "error", error: cutError(vendor, "the answer holds no choice.") };
    return;
  }
  if (completion.usage) answer.usage = toUsage(completion.usage);
  answer.text = choice.message.content ?? "";
  answer.refusal = choice.message.refusal ?? "";
  answer.reasoning = reasoningText(choice.message);
  addDetails(answer, choice.message);
  for (const [index, call] of (choice.message.tool_calls ?? []).entries()) {
    if (call.type === "custom") continue;
    addCall(answer.calls, { index, id: call.id, function: call.function });
  }
  answer.finishReason = choice.finish_reason;
  if (answer.reasoning) yield { type: "reasoning-delta", text: answer.reasoning };
  if (answer.text) yield { type: "text-delta", text: answer.text };
  if (answer.refusal) yield { type: "text-delta", text: answer.refusal };
  yield finished(answer, newId);
}

function finished(answer: Answer, newId: () => string): ModelEvent {
  const parts: AssistantMessage["parts"] = [];
  if (answer.reasoning || answer.details.length > 0) {
    parts.push({
      type: "reasoning",
      text: answer.reasoning,
      ...(answer.details.length > 0 ? { vendor: { reasoning_details: answer.details } } : {}),
    });
  }
  const text = answer.text + answer.refusal;
  if (text) parts.push({ type: "text", text });
  for (const call of answer.calls) {
    parts.push({ type: "tool-call", callId: call.id || newId(), toolName: call.name, arguments: call.arguments });
  }
  const refused = answer.refusal !== "";
  return {
    type: "finish",
    message: { role: "assistant", parts },
    finishReason: mapFinishReason(answer.finishReason, { calls: answer.calls.length, refused }),
    rawFinishReason: refused && answer.finishReason === "stop" ? "refusal" : answer.finishReason,
    ...(answer.usage ? { usage: answer.usage } : {}),
  };
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
  if (part.function?.arguments) call.arguments += part.function.arguments;
}

/** What the model thinks, under the names that compatible servers use: DeepSeek and vLLM, then OpenRouter and Ollama. */
function reasoningText(delta: object): string {
  if ("reasoning_content" in delta && typeof delta.reasoning_content === "string") return delta.reasoning_content;
  if ("reasoning" in delta && typeof delta.reasoning === "string") return delta.reasoning;
  return "";
}

function addDetails(answer: Answer, delta: object): void {
  if ("reasoning_details" in delta && Array.isArray(delta.reasoning_details))
    answer.details.push(...delta.reasoning_details);
}

function toUsage(usage: CompletionUsage): Usage {
  const cached = usage.prompt_tokens_details?.cached_tokens;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  return {
    inputTokens: usage.prompt_tokens ?? 0,
    outputTokens: usage.completion_tokens ?? 0,
    ...(cached ? { cachedInputTokens: cached } : {}),
    ...(reasoning ? { reasoningTokens: reasoning } : {}),
  };
}
