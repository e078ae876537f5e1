import { describe, expect, it } from "vitest";
import type { ChatModel } from "../engine/model/chat-model.ts";
import { anthropicOver } from "./testing/anthropic-over.ts";
import * as claude from "./anthropic/recordings/messages.ts";
import { anthropicProvider } from "./anthropic.ts";
import { geminiProvider } from "./gemini.ts";
import * as generated from "./gemini/recordings/generate-content.ts";
import * as interactions from "./gemini/recordings/interactions.ts";
import { openaiCompatibleProvider } from "./openai-compatible.ts";
import { openaiProvider } from "./openai.ts";
import * as chat from "./openai/recordings/chat.ts";
import * as responses from "./openai/recordings/responses.ts";
import { collect, modelRequest, type Recording, replayHost } from "./testing/replay.ts";

interface Case {
  recording: Recording;
  create(host: ReturnType<typeof replayHost>["host"]): ChatModel;
  /** Where the vendor is told the longest answer. */
  told(body: unknown): unknown;
}

const place = (host: ReturnType<typeof replayHost>["host"]) => ({ host, credential: "credential-1", nodeId: "model" });
const at =
  (...path: string[]) =>
  (body: unknown): unknown =>
    path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], body);

const cases: Record<string, Case> = {
  "OpenAI Chat Completions": {
    recording: chat.text,
    create: (host) =>
      openaiProvider.create({ ...openaiProvider.config.parse({ api: "chat" }), model: "gpt-4o" }, place(host)),
    told: at("max_completion_tokens"),
  },
  "OpenAI Responses": {
    recording: responses.textAnswer,
    create: (host) =>
      openaiProvider.create({ ...openaiProvider.config.parse({ api: "responses" }), model: "gpt-4o" }, place(host)),
    told: at("max_output_tokens"),
  },
  "OpenAI-compatible": {
    recording: chat.text,
    create: (host) =>
      openaiCompatibleProvider.create({ ...openaiCompatibleProvider.config.parse({}), model: "llama3.2" }, place(host)),
    told: at("max_tokens"),
  },
  Anthropic: {
    recording: claude.text,
    create: (host) =>
      anthropicProvider.create({ ...anthropicProvider.config.parse({}), model: "claude-sonnet-4-5" }, place(host)),
    told: at("max_tokens"),
  },
  "Gemini generateContent": {
    recording: generated.text,
    create: (host) =>
      geminiProvider.create(
        { ...geminiProvider.config.parse({ api: "generate-content" }), model: "gemini-2.5-flash" },
        place(host),
      ),
    told: at("generationConfig", "maxOutputTokens"),
  },
  "Gemini Interactions": {
    recording: interactions.text,
    create: (host) =>
      geminiProvider.create(
        { ...geminiProvider.config.parse({ api: "interactions" }), model: "gemini-3-flash-preview" },
        place(host),
      ),
    told: at("generation_config", "max_output_tokens"),
  },
};

describe("S92 the longest answer that was booked", () => {
  it.each(Object.entries(cases))("is sent to %s", async (_name, { recording, create, told }) => {
    const { host, sent } = replayHost(recording, "single-bytes");
    const model = create(host);
    await collect(model, modelRequest({ maxOutputTokens: 1_234 }));
    expect(sent.map(({ body }) => told(body))).toEqual([1_234]);
    expect(model.answerTokens?.set).toBeNull();
  });

  it("leaves Claude more than its budget for thinking, and books what its adapter would send", () => {
    const settings = { model: "claude-sonnet-4-5", thinkingBudget: 20_000 };
    expect(anthropicOver(claude.text, settings).model.answerTokens).toEqual({ set: null, min: 20_016, max: 32_000 });
    const limited = anthropicOver(claude.text, { ...settings, maxTokens: 500 }).model;
    expect(limited.answerTokens?.set).toBe(20_500);
  });
});
