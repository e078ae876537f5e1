import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../engine/json.ts";
import { userMessage, type Message } from "../../engine/model/message.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { geminiProvider } from "../gemini.ts";
import { calculator } from "../testing/calculator.ts";
import { searchSteps } from "../testing/own-searches.ts";
import { byteLength, collect, modelRequest, replayHost, summary, type Cut, type Recording } from "../testing/replay.ts";
import * as content from "./recordings/generate-content.ts";
import * as wire from "./recordings/interactions.ts";

function setUp(recording: Recording, settings: JsonObject = {}, cut: Cut = "single-bytes") {
  const { host, sent } = replayHost(recording, cut);
  return { model: modelOn(host, settings), sent };
}

function modelOn(host: ReturnType<typeof testHost>, settings: JsonObject = {}) {
  const { model: name = "gemini-3-flash-preview", ...config } = settings;
  return geminiProvider.create(
    { ...geminiProvider.config.parse(config), model: String(name) },
    { host, credential: "credential-1", nodeId: "model" },
  );
}

async function messageOf(recording: Recording): Promise<Message> {
  const { last } = summary(await collect(setUp(recording).model));
  if (last?.type !== "finish") throw new Error("It did not finish.");
  return last.message;
}

async function sentWith(messages: Message[], settings: JsonObject = {}) {
  const { model, sent } = setUp(wire.text, settings);
  await collect(model, modelRequest({ messages, tools: [calculator] }));
  return sent[0];
}

const result = (callId: string): Message => ({ role: "tool", callId, toolName: "calculator", ok: true, text: "6" });

describe("gemini interactions: what is sent", () => {
  it("sends steps, tools and settings in the vendor's words, and stores nothing there", async () => {
    const messages: Message[] = [
      { role: "system", text: "Be brief." },
      {
        role: "user",
        parts: [
          { type: "text", text: "Look" },
          { type: "image", url: "data:image/png;base64,AAAA" },
          { type: "image", url: "https://example.com/a.webp" },
        ],
      },
      {
        role: "assistant",
        parts: [
          { type: "reasoning", text: "Another vendor's.", vendor: { signature: "x" } },
          { type: "text", text: "Well." },
          { type: "tool-call", callId: "c1", toolName: "calculator", arguments: '{"expression":"1+1"}' },
          { type: "tool-call", callId: "c2", toolName: "calculator", arguments: '{"broken' },
        ],
      },
      { role: "tool", callId: "c1", toolName: "calculator", ok: true, text: "2" },
      { role: "tool", callId: "c2", toolName: "calculator", ok: false, text: "Not JSON." },
    ];
    const { model, sent } = setUp(wire.text, {
      api: "interactions",
      seed: 7,
      stop: ["END"],
      hateSpeech: "only-high",
      thinkingLevel: "low",
      temperature: 0.7,
      topP: 0.9,
      maxTokens: 1000,
    });
    await collect(model, modelRequest({ messages, tools: [calculator], toolChoice: "required" }));
    expect(sent[0]?.method).toBe("POST");
    expect(sent[0]?.url.pathname).toBe("/v1beta/interactions");
    expect(sent[0]?.body).toEqual({
      model: "gemini-3-flash-preview",
      store: false,
      stream: true,
      system_instruction: "Be brief.",
      input: [
        {
          type: "user_input",
          content: [
            { type: "text", text: "Look" },
            { type: "image", mime_type: "image/png", data: "AAAA" },
            { type: "image", mime_type: "image/webp", uri: "https://example.com/a.webp" },
          ],
        },
        { type: "model_output", content: [{ type: "text", text: "Well." }] },
        { type: "function_call", id: "c1", name: "calculator", arguments: { expression: "1+1" } },
        { type: "function_call", id: "c2", name: "calculator", arguments: {} },
        { type: "function_result", call_id: "c1", name: "calculator", result: [{ type: "text", text: "2" }] },
        {
          type: "function_result",
          call_id: "c2",
          name: "calculator",
          is_error: true,
          result: [{ type: "text", text: "Not JSON." }],
        },
      ],
      tools: [{ type: "function", name: "calculator", description: "Calculates.", parameters: calculator.parameters }],
      safety_settings: [{ type: "hate_speech", threshold: "block_only_high" }],
      generation_config: {
        temperature: 0.7,
        top_p: 0.9,
        max_output_tokens: 1000,
        seed: 7,
        stop_sequences: ["END"],
        tool_choice: "any",
        thinking_level: "low",
        thinking_summaries: "auto",
      },
    });
  });

  it("gives thoughts, calls and Google's own searches back as they came, in their order", async () => {
    const asked = await messageOf(wire.parallelCalls);
    const first = await sentWith([userMessage("A"), asked, result("call-a"), result("call-b")]);
    expect(first?.body).toMatchObject({
      input: [
        { type: "user_input" },
        { type: "thought", signature: "dGhvdWdodA==" },
        { type: "model_output", content: [{ type: "text", text: "Both at once." }] },
        { type: "function_call", id: "call-a", name: "calculator", arguments: { expression: "1+1" } },
        { type: "function_call", id: "call-b", name: "clock", arguments: {} },
        { type: "function_result", call_id: "call-a" },
        { type: "function_result", call_id: "call-b" },
      ],
    });
    const searched = await sentWith([userMessage("Sky?"), await messageOf(wire.grounded), userMessage("Sure?")]);
    expect(searched?.body).toMatchObject({
      input: [
        {},
        { type: "model_output", content: [{ type: "text", text: "Let me look." }] },
        ...searchSteps,
        { type: "thought", signature: "dGhvdWdodA==" },
        { type: "model_output", content: [{ type: "text", text: "Blue." }] },
        {},
      ],
    });
    const summed = await sentWith([userMessage("A"), await messageOf(wire.thinkingAndText), userMessage("B")]);
    expect(summed?.body).toMatchObject({
      input: [
        {},
        { type: "thought", signature: "dGhvdWdodA==", summary: [{ text: "Let me " }, { text: "think." }] },
        {},
        {},
      ],
    });
  });

  it("keeps the vendor's name of a call that the agent gave another", async () => {
    const message = await messageOf(wire.oneCall);
    const renamed = JSON.parse(JSON.stringify(message).replace('"callId":"61nzpsv4"', '"callId":"other"'));
    const sent = await sentWith([userMessage("A"), renamed, result("other")]);
    expect(sent?.body).toMatchObject({
      input: [{}, {}, { type: "function_call", id: "61nzpsv4" }, { type: "function_result", call_id: "61nzpsv4" }],
    });
  });

  it("turns on Google Search and URL context, asks for JSON by schema, and forbids tools", async () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const { model, sent } = setUp(wire.text, { googleSearch: true, urlContext: true });
    const responseFormat = { type: "json" as const, schema };
    await collect(model, modelRequest({ tools: [calculator], responseFormat, toolChoice: "none" }));
    expect(sent[0]?.body).toMatchObject({
      tools: [{ type: "function" }, { type: "google_search" }, { type: "url_context" }],
      response_format: [{ type: "text", mime_type: "application/json", schema }],
      generation_config: { tool_choice: "none" },
    });
    const older = setUp(wire.text, { googleSearch: true, model: "gemini-2.5-flash" });
    const { warnings } = summary(await collect(older.model, modelRequest({ tools: [calculator], responseFormat })));
    expect(warnings).toHaveLength(2);
    expect(JSON.stringify(older.sent[0]?.body)).toContain("fits this JSON Schema");
    expect(JSON.stringify(older.sent[0]?.body)).not.toMatch(/google_search|response_format/);
  });

  it("says what this API does not have", async () => {
    const { model, sent } = setUp(wire.text, { api: "interactions", topK: 40, thinkingBudget: 0 });
    expect(summary(await collect(model)).warnings).toEqual([
      expect.stringContaining("top K"),
      expect.stringContaining("thinking budget"),
    ]);
    expect(sent[0]?.body).toMatchObject({ generation_config: { thinking_summaries: "none" } });
    const level = setUp(wire.text, { model: "gemini-2.5-flash", thinkingLevel: "minimal" });
    expect(summary(await collect(level.model)).warnings).toEqual([expect.stringContaining("thinking level")]);
  });

  it("is what the vendor's SDK sends, and the SDK reads the answers", async () => {
    const messages = [userMessage("A"), await messageOf(wire.oneCall), result("61nzpsv4")];
    const ours = await sentWith(messages);
    const { GoogleGenAI } = await import("@google/genai/web");
    for (const recording of [wire.text, wire.grounded, wire.oneCall]) {
      let asked: { path: string; body: unknown } | undefined;
      const client = new GoogleGenAI({
        apiKey: "test-key-sdk",
        httpOptions: {
          baseUrl: "https://gemini.invalid",
          fetch: async (input: string | URL | Request) => {
            const request = new Request(input);
            asked = { path: new URL(request.url).pathname, body: await request.json() };
            return new Response(recording.body, { headers: { "content-type": "text/event-stream" } });
          },
        },
      });
      const stream = await client.interactions.create({ ...(ours?.body as { model: string; stream: true }) });
      const types = [];
      for await (const event of stream) types.push(event.event_type);
      expect(asked).toEqual({ path: ours?.url.pathname, body: ours?.body });
      expect(types.at(-1)).toBe("interaction.completed");
    }
  });
});

describe("gemini interactions: which API is used", () => {
  const pathWith = async (settings: JsonObject, messages: Message[] = [userMessage("A")]) =>
    (await sentWith(messages, settings))?.url.pathname;

  it("uses Interactions for Gemini models where nothing is set that it lacks", async () => {
    for (const model of [
      "gemini-3-flash-preview",
      "gemini-2.5-flash",
      "gemini-flash-latest",
      "models/gemini-3.8-flash",
    ])
      expect(await pathWith({ model })).toBe("/v1beta/interactions");
    for (const model of ["gemma-4-31b-it", "gemini-2.0-flash", "tuned-one"])
      expect(await pathWith({ model })).toMatch(/:streamGenerateContent$/);
    const others: JsonObject[] = [
      { api: "generate-content" },
      { temperature: 0 },
      { topP: 0.5 },
      { topK: 3 },
      { thinkingBudget: 0 },
      { harassment: "off" },
    ];
    for (const settings of others) expect(await pathWith(settings)).toMatch(/:streamGenerateContent$/);
  });

  it("goes on with generateContent in a conversation whose calls came another way, and stands in for their signatures", async () => {
    const call = { type: "tool-call" as const, callId: "c1", toolName: "calculator", arguments: "{}" };
    const foreign: Message[] = [userMessage("A"), { role: "assistant", parts: [call] }, result("c1")];
    expect(await pathWith({}, foreign)).toMatch(/:streamGenerateContent$/);
    const own = await messageOf(wire.oneCall);
    expect(await pathWith({}, [userMessage("A"), own, result("61nzpsv4")])).toBe("/v1beta/interactions");
    const mixed = await sentWith([...foreign, own, result("61nzpsv4")]);
    expect(mixed?.body).toMatchObject({
      contents: [
        {},
        { parts: [{ functionCall: {}, thoughtSignature: "skip_thought_signature_validator" }] },
        {},
        { parts: [{ functionCall: {}, thoughtSignature: "skip_thought_signature_validator" }] },
        {},
      ],
    });
  });

  const ownRefusal = {
    status: 400,
    headers: { "x-switchyard-error": "1" },
    body: JSON.stringify({ error: { code: "invalid_config", message: "No model API.", hint: "", retryable: false } }),
  };

  it.each([
    ["a gateway", wire.noSuchPath],
    ["an older proxy", ownRefusal],
    ["a model that is not offered there", wire.unsupportedModel],
    ["a model that is not offered there, said in a stream", wire.unsupportedInStream],
    ["a conversation whose signatures are not taken", wire.unsignedInStream],
  ])("falls back to generateContent for %s, and asks but once", async (_who, refusal) => {
    const paths: string[] = [];
    const host = testHost({
      fetch(_connection, input, init) {
        const { pathname } = new URL(input instanceof Request ? input.url : input);
        paths.push(pathname);
        const recording = pathname.endsWith("/interactions") ? refusal : content.text;
        return replayHost(recording).host.fetch({ provider: "gemini", credential: "" }, input, init);
      },
    });
    const model = modelOn(host);
    for (let turn = 0; turn < 2; turn += 1)
      expect(summary(await collect(model)).last).toMatchObject({ type: "finish", finishReason: "stop" });
    expect(paths.map((path) => path.split(/[/:]/).at(-1))).toEqual([
      "interactions",
      "streamGenerateContent",
      "streamGenerateContent",
    ]);
  });

  it("does not fall back once an answer has begun", async () => {
    const late = { body: wire.text.body.replace(/event: interaction.completed.*/s, wire.unsupportedInStream.body) };
    const { model, sent } = setUp(late);
    expect(summary(await collect(model))).toMatchObject({ text: "Grüße, 世界 🌍!", last: { type: "error" } });
    expect(sent).toHaveLength(1);
  });

  it("does not fall back where Interactions was chosen", async () => {
    for (const [recording, code] of [
      [wire.noSuchPath, "invalid_config"],
      [wire.unsigned, "model_error"],
    ] as const) {
      const { model, sent } = setUp(recording, { api: "interactions" });
      expect(summary(await collect(model)).last).toMatchObject({ type: "error", error: { code, retryable: false } });
      expect(sent).toHaveLength(1);
    }
  });
});

describe("gemini interactions: what comes out", () => {
  it("streams text and counts cached, thinking and tool tokens", async () => {
    const { text, last } = summary(await collect(setUp(wire.text).model));
    expect(text).toBe("Grüße, 世界 🌍!");
    expect(last).toEqual({
      type: "finish",
      message: {
        role: "assistant",
        parts: [
          { type: "reasoning", text: "", vendor: { step: { type: "thought", signature: "dGhvdWdodA==" } } },
          { type: "text", text: "Grüße, 世界 🌍!" },
        ],
      },
      finishReason: "stop",
      rawFinishReason: "completed",
      usage: { inputTokens: 23, outputTokens: 15, cachedInputTokens: 16, reasoningTokens: 5 },
    });
  });

  it("puts calls together, and names those that have no id", async () => {
    expect(summary(await collect(setUp(wire.oneCall).model)).last).toMatchObject({
      finishReason: "tool-calls",
      rawFinishReason: "requires_action",
      message: { parts: [{}, { callId: "61nzpsv4", toolName: "calculator", arguments: '{"expression":"2 × 3"}' }] },
    });
    expect(await messageOf(wire.parallelCalls)).toMatchObject({
      parts: [{}, { text: "Both at once." }, { callId: "call-a" }, { callId: "call-b", arguments: "{}" }],
    });
    const nameless = { body: wire.oneCall.body.replace('"id":"61nzpsv4"', '"id":""') };
    expect(await messageOf(nameless)).toMatchObject({ parts: [{}, { callId: expect.stringMatching(/./) }] });
  });

  it("shows thoughts apart, and takes what a step begins with", async () => {
    const thinking = summary(await collect(setUp(wire.thinkingAndText).model));
    expect([thinking.text, thinking.reasoning]).toEqual(["Done", "Let me think."]);
    const begun = summary(await collect(setUp(wire.pieceInStart).model));
    expect([begun.text, begun.reasoning]).toEqual(["Based on the clues, blue.", "**Clues**"]);
    expect(begun.last).toMatchObject({ message: { parts: [{}, {}, { arguments: '{"expression":"1"}' }] } });
  });

  it("gives what an answer cites and read as sources, and sets its texts apart", async () => {
    const { text, last } = summary(await collect(setUp(wire.grounded).model));
    expect(text).toBe("Let me look.\n\nBlue.");
    expect(last).toMatchObject({
      message: { sources: [{ url: "https://example.org/blue" }, { url: "https://example.com/sky", title: "The sky" }] },
    });
  });

  it("joins a text that only a thought divides", async () => {
    const { text, last } = summary(await collect(setUp(wire.jsonInTwo).model));
    expect(text).toBe('{"a":"one"}');
    expect(last).toMatchObject({ message: { parts: [{ text: '{"a":"o' }, {}, { text: 'ne"}' }] } });
  });

  it("joins the pieces of a picture", async () => {
    const { text, warnings, last } = summary(await collect(setUp(wire.picture).model));
    expect([text, warnings]).toEqual(["Here:", []]);
    const url = "data:image/jpeg;base64,/9j/4AAQSkZJRg==";
    expect(last).toMatchObject({
      message: {
        parts: [
          { type: "text", text: "Here:" },
          { type: "image", url },
        ],
      },
    });
  });

  it.each([
    ["incomplete", wire.lengthStop, "length"],
    ["budget_exceeded", wire.budgetStop, "length"],
    ["requires_continuation", wire.decodeLimit, "length"],
    ["incomplete", wire.endsByStatus, "length"],
    ["cancelled", wire.cancelled, "other"],
    ["something_new", wire.unknownStatus, "other"],
    ["requires_action", wire.actionWithoutCall, "other"],
  ])("never takes %s for a plain end", async (rawFinishReason, recording, finishReason) => {
    expect(summary(await collect(setUp(recording).model)).last).toMatchObject({ finishReason, rawFinishReason });
  });

  it("makes up no arguments for a call that the tokens ran out on", async () => {
    expect(await messageOf(wire.callCutShort)).toMatchObject({ parts: [{}, { type: "tool-call", arguments: "" }] });
  });

  it("gives the same events for an answer in one piece, asked for or not", async () => {
    for (const streaming of [false, true]) {
      const { model, sent } = setUp(wire.whole, { streaming });
      const { text, reasoning, last } = summary(await collect(model));
      expect([text, reasoning]).toEqual(["In one piece.", "Hm."]);
      expect(last).toMatchObject({ finishReason: "tool-calls", message: { parts: [{}, {}, { callId: "call-a" }] } });
      expect(JSON.stringify(sent[0]?.body).includes('"stream":true')).toBe(streaming);
    }
  });

  it("S52 keeps the text before a cut, an error event and broken JSON, and ends with a retryable error", async () => {
    for (const recording of [
      wire.cutOff,
      wire.overloadedInStream,
      wire.malformed,
      wire.cutInJson,
      wire.malformedCall,
    ]) {
      const { text, last } = summary(await collect(setUp(recording).model));
      expect(text).toBe("Half");
      expect(last).toMatchObject({ type: "error", error: { code: "model_error", retryable: true } });
    }
  });

  it("S51 says what an error inside an answer means, also one that is no event", async () => {
    const cases = [
      [wire.errorInStream, { code: "timeout", retryable: true }],
      [wire.limitInStream, { code: "rate_limit", retryable: true, retryAfterMs: 17_500 }],
      [wire.safetyInStream, { code: "content_filter", retryable: false }],
      [wire.bareRefusal, { code: "content_filter", retryable: false }],
      [wire.bareRefusalInLines, { code: "content_filter", retryable: false }],
      [wire.failed, { code: "model_error", message: expect.stringContaining("Something broke.") }],
    ] as const;
    for (const [recording, expected] of cases)
      expect(summary(await collect(setUp(recording).model)).last).toMatchObject({ type: "error", error: expected });
  });

  it("S51 says what a refusal means, and how long to wait", async () => {
    const cases = [
      [wire.invalid, { code: "model_error", retryable: false }],
      [wire.badKey, { code: "invalid_credentials", retryable: false }],
      [wire.unauthorized, { code: "invalid_credentials", retryable: false }],
      [wire.unpaid, { code: "rate_limit", retryable: false }],
      [wire.rateLimited, { code: "rate_limit", retryable: true, retryAfterMs: 36_430 }],
      [wire.resourceExhausted, { code: "rate_limit", retryable: true, retryAfterMs: 17_500 }],
      [wire.tooMany, { code: "rate_limit", retryable: true }],
      [wire.dayIsSpent, { code: "rate_limit", retryable: false, hint: expect.stringContaining("tomorrow") }],
      [wire.prohibited, { code: "content_filter", retryable: false }],
      [wire.blockedInWords, { code: "content_filter", retryable: false }],
      [wire.overloaded, { code: "model_error", retryable: true }],
      [wire.tooLong, { code: "context_length", retryable: false }],
      [wire.unknownModel, { code: "invalid_config", retryable: false }],
    ] as const;
    for (const [recording, expected] of cases) {
      const { model, sent } = setUp(recording);
      expect(await collect(model)).toMatchObject([{ type: "error", error: expected }]);
      expect(sent).toHaveLength(1);
    }
  });

  it("S56 ends with cancelled when the signal aborts in the middle", async () => {
    const controller = new AbortController();
    const events = [];
    for await (const event of setUp(wire.text).model.stream(modelRequest({ signal: controller.signal }))) {
      events.push(event);
      controller.abort();
    }
    expect(events.at(-1)).toMatchObject({ type: "error", error: { code: "cancelled" } });
  });

  it("gives the same events wherever the bytes are cut in two", async () => {
    for (const recording of [wire.text, wire.bareRefusal]) {
      const expected = await collect(setUp(recording).model);
      for (let cut = 1; cut < byteLength(recording); cut += 5)
        expect(await collect(setUp(recording, {}, cut).model)).toEqual(expected);
    }
  });
});
