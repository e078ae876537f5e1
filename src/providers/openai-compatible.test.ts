import { describe, expect, it } from "vitest";
import type { JsonObject } from "../engine/json.ts";
import type { Message } from "../engine/model/message.ts";
import { openaiCompatibleProvider } from "./openai-compatible.ts";
import * as chat from "./openai/recordings/chat.ts";
import { collect, modelRequest, replayHost, summary, type Recording } from "./testing/replay.ts";

function setUp(recording: Recording, settings: JsonObject = {}) {
  const { host, sent } = replayHost(recording);
  const { model: name = "llama3.2", ...config } = settings;
  const model = openaiCompatibleProvider.create(
    { ...openaiCompatibleProvider.config.parse(config), model: String(name) },
    { host, credential: "credential-1", nodeId: "model" },
  );
  return { model, sent };
}

describe("openai-compatible", () => {
  it("speaks Chat Completions with the older name of the token limit", async () => {
    const { model, sent } = setUp(chat.text);
    await collect(model);
    expect(sent[0]?.url.pathname).toBe("/chat/completions");
    expect(sent[0]?.body).toMatchObject({ model: "llama3.2", max_tokens: 1000, temperature: 0.7 });
  });

  it("joins neighbours of one role and instructions, since local chat templates insist on alternation", async () => {
    const messages: Message[] = [
      { role: "system", text: "One." },
      { role: "system", text: "Two." },
      { role: "user", parts: [{ type: "text", text: "A" }] },
      { role: "user", parts: [{ type: "text", text: "B" }] },
      { role: "assistant", parts: [{ type: "tool-call", callId: "c", toolName: "t", arguments: '{"broken' }] },
      { role: "tool", callId: "c", toolName: "t", ok: false, text: "The arguments are no JSON." },
      { role: "system", text: "Three." },
    ];
    const { model, sent } = setUp(chat.text);
    await collect(model, modelRequest({ messages }));
    expect(sent[0]?.body).toMatchObject({
      messages: [
        { role: "system", content: "One.\n\nTwo." },
        { role: "user", content: "A\nB" },
        { role: "assistant", content: null, tool_calls: [{ function: { arguments: "{}" } }] },
        { role: "tool", content: "The arguments are no JSON." },
        { role: "user", content: "Three." },
      ],
    });
  });

  it("reads whole calls that all have index 0 and end with stop", async () => {
    const { last } = summary(await collect(setUp(chat.wholeCalls, { preset: "ollama" }).model));
    expect(last).toMatchObject({
      finishReason: "tool-calls",
      rawFinishReason: "stop",
      message: {
        parts: [
          { callId: "call_a", toolName: "one" },
          { callId: "call_b", toolName: "two" },
        ],
      },
    });
  });

  it("shows the thinking of models that stream it", async () => {
    const { reasoning, last } = summary(await collect(setUp(chat.thinkingAndCall).model));
    expect(reasoning).toBe("Let me add.");
    expect(last).toMatchObject({
      message: {
        parts: [
          { type: "reasoning", text: "Let me add." },
          { type: "tool-call", callId: "call_a" },
        ],
      },
    });
  });

  it("hands OpenRouter's reasoning details back unchanged", async () => {
    const details = [{ type: "reasoning.encrypted", data: "abc", id: "r1" }];
    const first = setUp(
      {
        body: JSON.stringify({
          id: "1",
          choices: [
            {
              index: 0,
              message: { role: "assistant", content: "Hi", reasoning_details: details },
              finish_reason: "stop",
            },
          ],
        }),
      },
      { streaming: false, preset: "openrouter" },
    );
    const { last } = summary(await collect(first.model));
    if (last?.type !== "finish") throw new Error("It did not finish.");
    const second = setUp(chat.text, { preset: "openrouter" });
    await collect(second.model, modelRequest({ messages: [last.message] }));
    expect(second.sent[0]?.body).toMatchObject({ messages: [{ role: "assistant", reasoning_details: details }] });
  });

  it("puts Azure's deployment and API version into the address", async () => {
    const { model, sent } = setUp(chat.text, {
      preset: "azure",
      azureDeployment: "my-gpt",
      azureApiVersion: "2024-10-21",
      model: "gpt-4o",
    });
    await collect(model);
    expect(sent[0]?.url.pathname).toBe("/openai/deployments/my-gpt/chat/completions");
    expect(sent[0]?.url.search).toBe("?api-version=2024-10-21");
  });

  it("names the server in its errors", async () => {
    const { last } = summary(
      await collect(setUp({ status: 404, body: '{"error":"model \'llama9\' not found"}' }, { preset: "ollama" }).model),
    );
    expect(last).toMatchObject({
      type: "error",
      error: {
        code: "invalid_config",
        message: "Ollama does not know this model or address: model 'llama9' not found",
      },
    });
  });

  it("finds the reason wherever a server puts it", async () => {
    for (const body of ['{"detail":"No such route."}', '{"object":"error","message":"No such route."}']) {
      const { last } = summary(await collect(setUp({ status: 400, body }).model));
      expect(last).toMatchObject({
        type: "error",
        error: { code: "model_error", retryable: false, message: expect.stringContaining("No such route.") },
      });
    }
  });
});
