import { expect, it } from "vitest";
import type { ProviderContext } from "../engine/model/provider.ts";
import type { ChatModel, ModelRequest } from "../engine/model/chat-model.ts";
import { testHost } from "../engine/testing/test-host.ts";
import { anthropicProvider } from "./anthropic.ts";
import { geminiProvider } from "./gemini.ts";
import { openaiProvider } from "./openai.ts";
import { collect, modelRequest } from "./testing/replay.ts";

const parameters = {
  type: "object",
  properties: {
    id: { type: "integer", maximum: "9223372036854775807", enum: ["7615917337495251231", 5] },
    name: { type: "string", enum: ["7615917337495251231"] },
  },
};

const request: Partial<ModelRequest> = {
  tools: [{ name: "get", description: "Gets one.", parameters }],
  messages: [
    { role: "user", parts: [{ type: "text", text: "Get it" }] },
    {
      role: "assistant",
      parts: [{ type: "tool-call", callId: "c1", toolName: "get", arguments: '{"id":7615917337495251231}' }],
    },
    { role: "tool", callId: "c1", toolName: "get", ok: true, text: "Done" },
  ],
};

const models: Record<string, (context: ProviderContext) => ChatModel> = {
  "OpenAI's Chat Completions": (context) =>
    openaiProvider.create({ ...openaiProvider.config.parse({ api: "chat" }), model: "gpt-4.1" }, context),
  "OpenAI's Responses": (context) =>
    openaiProvider.create({ ...openaiProvider.config.parse({ api: "responses" }), model: "gpt-5-mini" }, context),
  Anthropic: (context) =>
    anthropicProvider.create({ ...anthropicProvider.config.parse({}), model: "claude-sonnet-4-5" }, context),
  Gemini: (context) =>
    geminiProvider.create(
      { ...geminiProvider.config.parse({ api: "generate-content" }), model: "gemini-3-pro-preview" },
      context,
    ),
  "Gemini's interactions": (context) =>
    geminiProvider.create(
      { ...geminiProvider.config.parse({ api: "interactions" }), model: "gemini-3-pro-preview" },
      context,
    ),
};

it.each(Object.entries(models))("%s is sent large integers as the numbers that they are", async (_title, create) => {
  let sent = "";
  const host = testHost({
    fetch(_connection, _input, init) {
      sent = String(init?.body);
      return Promise.resolve(new Response("{}", { status: 400 }));
    },
  });
  await collect(create({ host, credential: "credential-1", nodeId: "model" }), modelRequest(request));
  expect(sent).toContain('"maximum":9223372036854775807');
  expect(sent).toContain('"enum":[7615917337495251231,5]');
  expect(sent).toContain('"enum":["7615917337495251231"]');
  expect(sent).toMatch(
    /"(?:arguments|args|input)":(?:"\{\\"id\\":7615917337495251231\}"|\{"id":7615917337495251231\})/,
  );
});
