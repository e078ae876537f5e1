import { describe, expect, it } from "vitest";
import { testHost } from "../../engine/testing/test-host.ts";
import { openaiProvider } from "../openai.ts";
import { chatOver } from "../testing/openai-over.ts";
import { byteLength, collect, modelRequest, replayHost, summary } from "../testing/replay.ts";
import { counted, wholeWith } from "./recordings/chat-with.ts";
import * as chat from "./recordings/chat.ts";

describe("openai over Chat Completions: what comes out", () => {
  it("streams text and counts cached and reasoning tokens", async () => {
    const { model } = chatOver(chat.text);
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

  it("sets a thought in tags apart, and takes arguments that are an object", async () => {
    const events = await collect(chatOver(chat.taggedThought).model);
    expect(events.filter(({ type }) => type === "reasoning-delta" || type === "text-delta")).toEqual([
      { type: "reasoning-delta", text: "Multiply." },
      { type: "text-delta", text: "So:" },
    ]);
    expect(summary(events).last).toMatchObject({
      message: { parts: [{ type: "reasoning", text: "Multiply." }, { text: "So:" }, { arguments: '{"a":2}' }] },
    });
  });

  it("joins one call's split arguments", async () => {
    const { last } = summary(await collect(chatOver(chat.oneCall).model));
    expect(last).toMatchObject({
      finishReason: "tool-calls",
      message: {
        parts: [{ type: "tool-call", callId: "call_a", toolName: "calculator", arguments: '{"expression":"2 × 3"}' }],
      },
    });
  });

  it("keeps parallel calls apart although their fragments interleave", async () => {
    const { last, text } = summary(await collect(chatOver(chat.parallelCalls).model));
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
    const { last, text } = summary(await collect(chatOver(chat.refusal).model));
    expect(text).toBe("I cannot do that.");
    expect(last).toMatchObject({ finishReason: "content-filter", rawFinishReason: "refusal" });
  });

  it("maps length and content filter and keeps the vendor's word", async () => {
    expect(summary(await collect(chatOver(chat.lengthStop).model)).last).toMatchObject({
      finishReason: "length",
      rawFinishReason: "length",
    });
    expect(summary(await collect(chatOver(chat.filtered).model)).last).toMatchObject({
      finishReason: "content-filter",
      rawFinishReason: "content_filter",
    });
  });

  it.each([
    ["abort", chat.aborted, "other"],
    ["abort", chat.abortedCall, "other"],
    ["insufficient_system_resource", chat.noResources, "other"],
    ["insufficient_system_resource", chat.noResourcesCall, "other"],
    // What nobody knows is no plain end; calls beside it are taken at their word.
    ["tired", chat.unknownReason, "other"],
    ["tired", chat.unknownReasonCall, "tool-calls"],
    ["STOP", chat.loudStop, "stop"],
  ])("reads the finish word %s", async (rawFinishReason, recording, finishReason) => {
    const { last } = summary(await collect(chatOver(recording).model));
    expect(last).toMatchObject({ finishReason, rawFinishReason });
  });

  it.each([
    ["text", chat.onlyDone, { finishReason: "stop", message: { parts: [{ text: "All of it." }] } }],
    ["a call", chat.onlyDoneCall, { finishReason: "tool-calls", message: { parts: [{ arguments: '{"a":1}' }] } }],
    ["an empty reason", chat.emptyReason, { finishReason: "stop", message: { parts: [{ text: "All of it." }] } }],
  ])("takes [DONE] for the end of %s where no reason is given", async (_what, recording, expected) => {
    expect(summary(await collect(chatOver(recording).model)).last).toMatchObject({ type: "finish", ...expected });
  });

  it.each([
    ["half a call", chat.onlyDoneHalfCall],
    ["nothing", chat.onlyDoneNothing],
  ])("S52 does not take [DONE] for the end of %s", async (_what, recording) => {
    expect(summary(await collect(chatOver(recording).model)).last).toMatchObject({
      type: "error",
      error: { code: "model_error", retryable: true },
    });
  });

  it.each([null, ""])("ends a whole answer whose reason is %j as its content says", async (reason) => {
    const text = chatOver(wholeWith({ content: "Done." }, reason), { streaming: false });
    expect(summary(await collect(text.model)).last).toMatchObject({ finishReason: "stop" });
    const call = { id: "call_a", type: "function", function: { name: "clock", arguments: "{}" } };
    const calls = chatOver(wholeWith({ content: null, tool_calls: [call] }, reason), { streaming: false });
    expect(summary(await collect(calls.model)).last).toMatchObject({ finishReason: "tool-calls" });
  });

  it.each([
    ["OpenAI", { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 }, 20, 10],
    [
      "Gemini, whose thinking is in the sum alone",
      { prompt_tokens: 20, completion_tokens: 6, total_tokens: 54 },
      20,
      34,
    ],
    [
      "xAI, which counts thinking beside the answer",
      {
        prompt_tokens: 20,
        completion_tokens: 6,
        total_tokens: 54,
        completion_tokens_details: { reasoning_tokens: 28 },
      },
      20,
      34,
    ],
    [
      "Mistral, whose audio input is in the sum alone",
      { prompt_audio_seconds: 203, prompt_tokens: 4, completion_tokens: 635, total_tokens: 3264 },
      2629,
      635,
    ],
    ["a sum that is too small", { prompt_tokens: 20, completion_tokens: 10, total_tokens: 0 }, 20, 10],
  ])("counts tokens as %s does", async (_what, counts, inputTokens, outputTokens) => {
    const { last } = summary(await collect(chatOver(counted(counts)).model));
    expect(last).toMatchObject({ usage: { inputTokens, outputTokens } });
  });

  it("names what the model wrote where the vendor could not read its call", async () => {
    for (const recording of [chat.unreadableCall, chat.unreadableCallInStream]) {
      expect(summary(await collect(chatOver(recording).model)).last).toMatchObject({
        type: "error",
        error: { retryable: false, unreadableCall: '<function=clock{"zone": }' },
      });
    }
  });

  it("gives the same events for an answer in one piece", async () => {
    const { model, sent } = chatOver(chat.whole, { streaming: false });
    const { text, last } = summary(await collect(model));
    expect(text).toBe("In one piece.");
    expect(last).toMatchObject({ finishReason: "tool-calls", usage: { inputTokens: 5, outputTokens: 3 } });
    expect(sent[0]?.body).not.toHaveProperty("stream");
  });

  it("S52 keeps the text before a cut, an error event and broken JSON, and ends with a retryable error", async () => {
    for (const recording of [chat.cutOff, chat.errorInStream, chat.malformed]) {
      const { text, last } = summary(await collect(chatOver(recording).model));
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
      const { model, sent } = chatOver(recording);
      const events = await collect(model);
      expect(events).toHaveLength(1);
      expect(events[0]).toMatchObject({ type: "error", error: expected });
      expect(sent).toHaveLength(1);
    }
  });

  it("passes on the proxy's own refusal as it is", async () => {
    const error = { code: "blocked_address", message: "Not there.", hint: "Elsewhere.", retryable: false };
    const { model } = chatOver({
      status: 403,
      headers: { "x-switchyard-error": "1" },
      body: JSON.stringify({ error }),
    });
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

  it("S52 lets go of a connection that stays open after an error or what is no JSON", async () => {
    for (const broken of ['{"error":{"message":"Overloaded."}}', "<html>"]) {
      let released = false;
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(`data: ${broken}\n\n`)),
        cancel: () => void (released = true),
      });
      const headers = { "content-type": "text/event-stream" };
      const model = openaiProvider.create(
        { ...openaiProvider.config.parse({}), model: "gpt-4o" },
        {
          host: testHost({ fetch: () => Promise.resolve(new Response(body, { headers })) }),
          credential: "credential-1",
          nodeId: "model",
        },
      );
      expect((await collect(model)).at(-1)).toMatchObject({ type: "error" });
      expect(released, broken).toBe(true);
    }
  });

  it("S56 ends with cancelled when the signal aborts in the middle", async () => {
    const controller = new AbortController();
    const { model } = chatOver(chat.text);
    const events = [];
    for await (const event of model.stream(modelRequest({ signal: controller.signal }))) {
      events.push(event);
      controller.abort();
    }
    expect(events.at(-1)).toMatchObject({ type: "error", error: { code: "cancelled" } });
  });

  it("gives the same events wherever the bytes are cut in two", async () => {
    for (const recording of [chat.text, chat.parallelCalls]) {
      const expected = await collect(chatOver(recording).model);
      for (let cut = 1; cut < byteLength(recording); cut += 1) {
        expect(await collect(chatOver(recording, {}, cut).model)).toEqual(expected);
      }
    }
  });
});
