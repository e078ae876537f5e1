import type { ModelEvent, ModelRequest } from "../../engine/model/chat-model.ts";
import { type AssistantMessage, messageText, toolCalls } from "../../engine/model/message.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { chooseCalls } from "./choose-calls.ts";
import { isStudio, studioTour } from "./studio-tour.ts";
import { readSituation, writeAnswer } from "./write-answer.ts";

/** How the demo model writes. */
export interface DemoSettings {
  streaming: boolean;
  /** Milliseconds between two words. */
  wordDelayMs: number;
}

/** About four characters make a token; enough to see counters move. */
function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

function reply(request: ModelRequest): AssistantMessage {
  const { question, results, instruction } = readSituation(request.messages);
  const mayCall = request.toolChoice !== "none" && results.length === 0 && instruction === "";
  const tour =
    isStudio(request.tools) && instruction === "" && request.toolChoice !== "none" && studioTour(question, results);
  if (tour && "say" in tour) return { role: "assistant", parts: [{ type: "text", text: tour.say }] };
  const calls = tour
    ? [tour.call]
    : mayCall
      ? chooseCalls(request.tools, question, request.toolChoice === "required")
      : [];
  if (calls.length === 0) return { role: "assistant", parts: [{ type: "text", text: writeAnswer(request) }] };
  const before = request.messages.reduce(
    (count, message) => count + (message.role === "assistant" ? toolCalls(message).length : 0),
    0,
  );
  return {
    role: "assistant",
    parts: calls.map(({ toolName, input }, index) => ({
      type: "tool-call",
      callId: `demo_call_${before + index + 1}`,
      toolName,
      arguments: JSON.stringify(input),
    })),
  };
}

/** The answer to one request, word by word; never throws. */
export async function* answer(
  request: ModelRequest,
  settings: DemoSettings,
  host: ProviderContext["host"],
): AsyncGenerator<ModelEvent> {
  const message = reply(request);
  const text = messageText(message);
  const pieces = settings.streaming ? (text.match(/\s*\S+\s*?/g) ?? []) : text === "" ? [] : [text];
  try {
    for (const piece of pieces) {
      if (settings.streaming && settings.wordDelayMs > 0) await host.sleep(settings.wordDelayMs, request.signal);
      request.signal.throwIfAborted();
      yield { type: "text-delta", text: piece };
    }
  } catch {
    const error = {
      code: "cancelled" as const,
      message: "The request was stopped.",
      hint: "Run it again.",
      retryable: false,
    };
    yield { type: "error", error };
    return;
  }
  const calls = toolCalls(message);
  const written = calls.reduce((sum, call) => sum + tokensOf(call.arguments), tokensOf(text));
  const read = request.messages.reduce((sum, each) => sum + tokensOf(messageText(each)), 0);
  yield {
    type: "finish",
    message,
    finishReason: calls.length > 0 ? "tool-calls" : "stop",
    usage: { inputTokens: read, outputTokens: written },
  };
}
