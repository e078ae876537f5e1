import { describe, expect, it } from "vitest";
import type { JsonObject } from "../engine/json.ts";
import type { ToolDefinition } from "../engine/model/chat-model.ts";
import type { Message } from "../engine/model/message.ts";
import { RunError } from "../engine/run/errors.ts";
import { testHost } from "../engine/testing/test-host.ts";
import { openaiProvider } from "./openai.ts";
import * as chat from "./openai/recordings/chat.ts";
import * as responses from "./openai/recordings/responses.ts";
import { byteLength, collect, modelRequest, replayHost, summary, type Cut, type Recording } from "./testing/replay.ts";

const calculator: ToolDefinition = {
  name: "calculator",
  description: "Calculates.",
  parameters: { type: "object", properties: { expression: { type: "string" } }, required: ["expression"] },
};

function setUp(recording: Recording, settings: JsonObject = {}, cut: Cut = "single-bytes") {
  const { host, sent } = replayHost(recording, cut);
  const { model: name = "gpt-4o-mini", ...config } = settings;
  const model = openaiProvider.create(
    { ...openaiProvider.config.parse(config), model: String(name) },
    { host, credential: "credential-1", nodeId: "model" },
  );
  return { model, sent };
}

const exchange: Message[] = [
  { role: "system", text: "Be brief." },
  {
    role: "user",
    parts: [
      { type: "text", text: "Look" },
      { type: "image", url: "data:image/png;base64,AAAA" },
    ],
  },
  {
    role: "assistant",
    parts: [
      {
        type: "reasoning",
        text: "Hm.",
        vendor: { id: "rs_1", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: "secretless" },
      },
      { type: "tool-call", callId: "call_a", toolName: "calculator", arguments: '{"expression":"1+1"}' },
    ],
  },
  { role: "tool", callId: "call_a", toolName: "calculator", ok: true, text: "2" },
];

describe("openai over Chat Completions: what is sent", () => {
  it("sends the conversation, tools and settings to the path below the credential's base URL", async () => {
    const { model, sent } = setUp(chat.text, {
      temperature: 0.2,
      topP: 0.9,
      seed: 7,
      stop: ["END"],
      frequencyPenalty: 0.5,
    });
    await collect(model, modelRequest({ messages: exchange, tools: [calculator], toolChoice: "required" }));
    expect(sent[0]?.url.pathname).toBe("/chat/completions");
    expect(sent[0]?.body).toEqual({
      model: "gpt-4o-mini",
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "Look" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          ],
        },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "call_a", type: "function", function: { name: "calculator", arguments: '{"expression":"1+1"}' } },
          ],
        },
        { role: "tool", tool_call_id: "call_a", content: "2" },
      ],
      max_completion_tokens: 1000,
      temperature: 0.2,
      top_p: 0.9,
      frequency_penalty: 0.5,
      stop: ["END"],
      seed: 7,
      tools: [{ type: "function", function: calculator }],
      tool_choice: "required",
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("asks for strict structured output only when the schema allows it", async () => {
    const strict = {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    };
    const loose = { type: "object", properties: { a: { type: "string", minLength: 2 } } };
    for (const [schema, expected] of [
      [strict, true],
      [loose, false],
    ] as const) {
      const { model, sent } = setUp(chat.text);
      await collect(model, modelRequest({ responseFormat: { type: "json", schema } }));
      expect(sent[0]?.body).toMatchObject({
        response_format: { type: "json_schema", json_schema: { schema, strict: expected } },
      });
    }
  });

  it("adds the word that JSON mode demands, and says so", async () => {
    const { model, sent } = setUp(chat.text, { jsonMode: true });
    const { warnings } = summary(await collect(model));
    expect(sent[0]?.body).toMatchObject({
      response_format: { type: "json_object" },
      messages: [{ role: "system", content: "Answer with a JSON object." }, { role: "user" }],
    });
    expect(warnings).toHaveLength(1);
  });

  it("leaves out what a reasoning model refuses, with one warning for each setting that was chosen", async () => {
    const { model, sent } = setUp(chat.text, {
      model: "o4-mini",
      temperature: 1.5,
      stop: ["X"],
      reasoningEffort: "low",
    });
    const first = summary(await collect(model));
    expect(Object.keys(sent[0]?.body as object)).not.toContain("temperature");
    expect(sent[0]?.body).toMatchObject({ reasoning_effort: "low", max_completion_tokens: 1000 });
    expect(first.warnings).toHaveLength(2);
    expect(summary(await collect(model)).warnings).toHaveLength(0);
  });

  it("warns of tools and images that a model cannot take", async () => {
    const { model, sent } = setUp(chat.text, { model: "o1-mini" });
    const { warnings } = summary(
      await collect(model, modelRequest({ messages: exchange.slice(0, 2), tools: [calculator] })),
    );
    expect(warnings).toHaveLength(2);
    expect(sent[0]?.body).not.toHaveProperty("tools");
    expect(JSON.stringify(sent[0]?.body)).not.toContain("image_url");
  });

  it("sends no key of its own and reads none from the environment", async () => {
    const { model, sent } = setUp(chat.text);
    await collect(model);
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer added-by-the-host");
    expect(sent[0]?.headers.has("openai-organization")).toBe(false);
  });
});

describe("openai over Chat Completions: what comes out", () => {
  it("streams text and counts cached and reasoning tokens", async () => {
    const { model } = setUp(chat.text);
    const events = await collect(model);
    expect(events.filter((event) => event.type === "text-delta")).toHaveLength(3);
    expect(events.at(-1)).toEqual({
      type: "finish",
      message: { role: "assistant", parts: [{ type: "text", text: "Grüße, 世界 🌍!" }] },
      finishReason: "stop",
      rawFinishReason: "stop",
      usage: { inputTokens: 20, outputTokens: 10, cachedInputTokens: 16, reasoningTokens: 4 },
    });
  });

  it("joins one call's split arguments", async () => {
    const { last } = summary(await collect(setUp(chat.oneCall).model));
    expect(last).toMatchObject({
      finishReason: "tool-calls",
      message: {
        parts: [{ type: "tool-call", callId: "call_a", toolName: "calculator", arguments: '{"expression":"2 × 3"}' }],
      },
    });
  });

  it("keeps parallel calls apart although their fragments interleave", async () => {
    const { last, text } = summary(await collect(setUp(chat.parallelCalls).model));
    expect(text).toBe("Both at once.");
    expect(last).toMatchObject({
      message: {
        parts: [
          { type: "text", text: "Both at once." },
          { callId: "call_a", arguments: '{"expression":"1+1"}' },
          { callId: "call_b", arguments: '{"url":"https://example.com"}' },
        ],
      },
    });
  });

  it("shows a refusal as text and as content filter", async () => {
    const { last, text } = summary(await collect(setUp(chat.refusal).model));
    expect(text).toBe("I cannot do that.");
    expect(last).toMatchObject({ finishReason: "content-filter", rawFinishReason: "refusal" });
  });

  it("maps length and content filter and keeps the vendor's word", async () => {
    expect(summary(await collect(setUp(chat.lengthStop).model)).last).toMatchObject({
      finishReason: "length",
      rawFinishReason: "length",
    });
    expect(summary(await collect(setUp(chat.filtered).model)).last).toMatchObject({
      finishReason: "content-filter",
      rawFinishReason: "content_filter",
    });
  });

  it("gives the same events for an answer in one piece", async () => {
    const { model, sent } = setUp(chat.whole, { streaming: false });
    const { text, last } = summary(await collect(model));
    expect(text).toBe("In one piece.");
    expect(last).toMatchObject({ finishReason: "tool-calls", usage: { inputTokens: 5, outputTokens: 3 } });
    expect(sent[0]?.body).not.toHaveProperty("stream");
  });

  it("S52 keeps the text before a cut, an error event and broken JSON, and ends with a retryable error", async () => {
    for (const recording of [chat.cutOff, chat.errorInStream, chat.malformed]) {
      const { text, last } = summary(await collect(setUp(recording).model));
      expect(text).toMatch(/^Half/);
      expect(last).toMatchObject({ type: "error", error: { code: "model_error", retryable: true } });
    }
  });

  it("S51 says what a refusal means, and how long to wait", async () => {
    const cases = [
      [chat.unauthorized, { code: "invalid_credentials", retryable: false }],
      [chat.rateLimited, { code: "rate_limit", retryable: true, retryAfterMs: 7000 }],
      [chat.noQuota, { code: "rate_limit", retryable: false }],
      [chat.overloaded, { code: "model_error", retryable: true }],
      [chat.tooLong, { code: "context_length", retryable: false }],
      [chat.azureFiltered, { code: "content_filter", retryable: false }],
    ] as const;
    for (const [recording, expected] of cases) {
      const { model, sent } = setUp(recording);
      const events = await collect(model);
      expect(events).toHaveLength(1);
      expect(events[0]).toMatchObject({ type: "error", error: expected });
      expect(sent).toHaveLength(1);
    }
  });

  it("passes on the proxy's own refusal as it is", async () => {
    const error = { code: "blocked_address", message: "Not there.", hint: "Elsewhere.", retryable: false };
    const { model } = setUp({ status: 403, headers: { "x-switchyard-error": "1" }, body: JSON.stringify({ error }) });
    expect(summary(await collect(model)).last).toMatchObject({ type: "error", error });
  });

  it("makes a failed connection a retryable error that names the reason", async () => {
    const host = testHost({
      fetch: () => Promise.reject(new TypeError("fetch failed", { cause: new Error("ECONNREFUSED 127.0.0.1") })),
    });
    const model = openaiProvider.create(
      { ...openaiProvider.config.parse({}), model: "gpt-4o" },
      { host, credential: "credential-1", nodeId: "model" },
    );
    expect(summary(await collect(model)).last).toMatchObject({
      type: "error",
      error: { code: "model_error", retryable: true, message: expect.stringContaining("ECONNREFUSED") },
    });
  });

  it("asks for a credential before it sends anything", async () => {
    const { host, sent } = replayHost(chat.text);
    const model = openaiProvider.create(
      { ...openaiProvider.config.parse({}), model: "gpt-4o" },
      { host, credential: "", nodeId: "model" },
    );
    expect(await collect(model)).toMatchObject([{ type: "error", error: { code: "invalid_credentials" } }]);
    expect(sent).toHaveLength(0);
  });

  it("S56 ends with cancelled when the signal aborts in the middle", async () => {
    const controller = new AbortController();
    const { model } = setUp(chat.text);
    const events = [];
    for await (const event of model.stream(modelRequest({ signal: controller.signal }))) {
      events.push(event);
      controller.abort();
    }
    expect(events.at(-1)).toMatchObject({ type: "error", error: { code: "cancelled" } });
  });

  it("gives the same events wherever the bytes are cut in two", async () => {
    for (const recording of [chat.text, chat.parallelCalls]) {
      const expected = await collect(setUp(recording).model);
      for (let cut = 1; cut < byteLength(recording); cut += 1) {
        expect(await collect(setUp(recording, {}, cut).model)).toEqual(expected);
      }
    }
  });
});

describe("openai over Responses", () => {
  const reasoning = { model: "gpt-5-mini", reasoningEffort: "high" };

  it("is used for reasoning models with tools and gives their thoughts back unchanged", async () => {
    const { model, sent } = setUp(responses.reasoningAndCalls, reasoning);
    await collect(model, modelRequest({ messages: exchange, tools: [calculator], toolChoice: "required" }));
    expect(sent[0]?.url.pathname).toBe("/responses");
    expect(sent[0]?.body).toEqual({
      model: "gpt-5-mini",
      input: [
        { role: "developer", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "input_text", text: "Look" },
            { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" },
          ],
        },
        {
          type: "reasoning",
          id: "rs_1",
          summary: [{ type: "summary_text", text: "Hm." }],
          encrypted_content: "secretless",
        },
        { type: "function_call", call_id: "call_a", name: "calculator", arguments: '{"expression":"1+1"}' },
        { type: "function_call_output", call_id: "call_a", output: "2" },
      ],
      max_output_tokens: 1000,
      store: false,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "high" },
      tools: [{ type: "function", ...calculator, strict: false }],
      tool_choice: "required",
      stream: true,
    });
  });

  it("streams reasoning, keeps its encrypted form, and gives parallel calls", async () => {
    const { model } = setUp(responses.reasoningAndCalls, reasoning);
    const { reasoning: thoughts, last } = summary(await collect(model, modelRequest({ tools: [calculator] })));
    expect(thoughts).toBe("Adding numbers.");
    expect(last).toMatchObject({
      finishReason: "tool-calls",
      usage: { inputTokens: 40, outputTokens: 20, cachedInputTokens: 32, reasoningTokens: 12 },
      message: {
        parts: [
          { type: "reasoning", text: "Adding numbers.", vendor: { id: "rs_1", encrypted_content: "gAAAA-encrypted" } },
          { type: "tool-call", callId: "call_a" },
          { type: "tool-call", callId: "call_b", arguments: '{"url":"https://example.com"}' },
        ],
      },
    });
  });

  it("maps text, refusal, length, failure, error event and a cut", async () => {
    const ask = async (recording: Recording) =>
      summary(await collect(setUp(recording, { ...reasoning, api: "responses" }).model));
    expect(await ask(responses.textAnswer)).toMatchObject({
      text: "Grüße 🌍",
      last: { finishReason: "stop", rawFinishReason: "completed" },
    });
    expect(await ask(responses.refusal)).toMatchObject({
      text: "I cannot do that.",
      last: { finishReason: "content-filter" },
    });
    expect(await ask(responses.lengthStop)).toMatchObject({
      last: { finishReason: "length", rawFinishReason: "max_output_tokens" },
    });
    expect(await ask(responses.failed)).toMatchObject({ last: { type: "error", error: { code: "model_error" } } });
    expect(await ask(responses.errorInStream)).toMatchObject({
      text: "Half",
      last: { error: { code: "rate_limit", retryable: true } },
    });
    expect(await ask(responses.cutOff)).toMatchObject({
      text: "Half",
      last: { error: { code: "model_error", retryable: true } },
    });
  });

  it("reads an answer in one piece", async () => {
    const { model } = setUp(responses.whole, { ...reasoning, streaming: false });
    const { text, last } = summary(await collect(model, modelRequest({ tools: [calculator] })));
    expect(text).toBe("Grüße 🌍");
    expect(last).toMatchObject({ message: { parts: [{ type: "reasoning" }, { type: "text" }] } });
  });

  it("warns of settings that only Chat Completions has", async () => {
    const { model } = setUp(responses.textAnswer, { ...reasoning, seed: 1 });
    const { warnings } = summary(await collect(model, modelRequest({ tools: [calculator] })));
    expect(warnings).toEqual([expect.stringContaining("seed")]);
  });

  it("gives the same events wherever the bytes are cut in two", async () => {
    const recording = responses.textAnswer;
    const settings = { ...reasoning, api: "responses" };
    const expected = await collect(setUp(recording, settings).model);
    for (let cut = 1; cut < byteLength(recording); cut += 1) {
      expect(await collect(setUp(recording, settings, cut).model)).toEqual(expected);
    }
  });
});

describe("openai's model list", () => {
  const context = (recording: Recording) => ({
    host: replayHost(recording).host,
    credential: "credential-1",
    nodeId: "model",
  });
  const signal = new AbortController().signal;

  it("lists what chats, sorted, with what the vendor says of retirement", async () => {
    const data = ["whisper-1", "gpt-4o", "gpt-3.5-turbo"].map((id) => ({
      id,
      object: "model",
      created: 1,
      owned_by: "openai",
      deprecated: id === "gpt-3.5-turbo",
    }));
    const listed = await openaiProvider.listModels(context({ body: JSON.stringify({ object: "list", data }) }), signal);
    expect(listed).toEqual([{ id: "gpt-3.5-turbo", retired: true }, { id: "gpt-4o" }]);
  });

  it("rejects with a RunError", async () => {
    const failure = await openaiProvider
      .listModels(context(chat.unauthorized), signal)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RunError);
  });
});
