import { z } from "zod";
import { field } from "../engine/config/field.ts";
import type { ModelEvent, ModelRequest } from "../engine/model/chat-model.ts";
import { type AssistantMessage, messageText, toolCalls } from "../engine/model/message.ts";
import { defineProvider, type ProviderContext } from "../engine/model/provider.ts";
import { RunError } from "../engine/run/errors.ts";
import { chooseCalls } from "./demo/choose-calls.ts";
import { demoEmbeddings } from "./demo/embeddings.ts";
import { readSituation, writeAnswer } from "./demo/write-answer.ts";

const config = z.object({
  streaming: field(z.boolean().default(true), {
    label: "Streaming",
    help: "Shows the answer word by word while it is written.",
  }),
  wordDelayMs: field(z.number().int().min(0).max(1_000).default(15), {
    label: "Pause per word (ms)",
    help: "How slowly it writes, so that streaming can be watched.",
    visibleWhen: { field: "streaming", in: [true] },
  }),
});

type Config = z.infer<typeof config> & { model: string };

/** About four characters make a token; enough to see counters move. */
function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

function reply(request: ModelRequest): AssistantMessage {
  const { question, results, instruction } = readSituation(request.messages);
  const mayCall = request.toolChoice !== "none" && results.length === 0 && instruction === "";
  const calls = mayCall ? chooseCalls(request.tools, question, request.toolChoice === "required") : [];
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

async function* stream(
  request: ModelRequest,
  settings: Config,
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

/**
 * A model without key, network or chance: the same conversation gives the same answer. It exists so that every part of
 * a workflow can be tried before there is a key.
 */
export const demoProvider = defineProvider({
  id: "demo",
  nodeType: "demo-model",
  title: "Demo model",
  summary: "Answers by simple rules, without a key: for trying things out.",
  icon: "sparkles",
  credentialTypes: [],
  config,
  suggestedModels: ["demo"],
  listModels: () => Promise.resolve([{ id: "demo", title: "Demo" }]),
  describe: () => "Simple rules, no key, no AI",
  embeddings: demoEmbeddings,
  create(settings, { host, nodeId }) {
    if (settings.model !== "demo")
      throw new RunError({
        code: "invalid_config",
        message: `The demo model has no model named "${settings.model}".`,
        hint: 'Choose "demo", or use another model node.',
        nodeId,
      });
    return {
      provider: "demo",
      modelId: "demo",
      capabilities: { tools: true, vision: false, streaming: true, json: true, reasoning: false },
      settings: { streaming: settings.streaming },
      price: { input: 0, output: 0 },
      stream: (request) => stream(request, settings, host),
    };
  },
});
