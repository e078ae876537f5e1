import { describe, expect, it } from "vitest";
import type { JsonObject } from "../engine/json.ts";
import { userMessage, type Message } from "../engine/model/message.ts";
import { RunError } from "../engine/errors.ts";
import { geminiProvider } from "./gemini.ts";
import * as wire from "./gemini/recordings/generate-content.ts";
import { calculator } from "./testing/calculator.ts";
import { searchParts } from "./testing/own-searches.ts";
import { byteLength, collect, modelRequest, replayHost, summary, type Cut, type Recording } from "./testing/replay.ts";

function setUp(recording: Recording, settings: JsonObject = {}, cut: Cut = "single-bytes") {
  const { host, sent } = replayHost(recording, cut);
  const { model: name = "gemini-3-pro-preview", ...config } = settings;
  const model = geminiProvider.create(
    { ...geminiProvider.config.parse({ api: "generate-content", ...config }), model: String(name) },
    { host, credential: "credential-1", nodeId: "model" },
  );
  return { model, sent };
}

async function messageOf(recording: Recording): Promise<Message> {
  const { last } = summary(await collect(setUp(recording).model));
  if (last?.type !== "finish") throw new Error("It did not finish.");
  return last.message;
}

describe("gemini: what is sent", () => {
  it("sends contents, tools and settings in the vendor's words", async () => {
    const messages: Message[] = [
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
          { type: "reasoning", text: "Hm." },
          { type: "tool-call", callId: "c1", toolName: "calculator", arguments: '{"expression":"1+1"}' },
          { type: "tool-call", callId: "c2", toolName: "calculator", arguments: '{"broken' },
        ],
      },
      { role: "tool", callId: "c1", toolName: "calculator", ok: true, text: "2" },
      { role: "tool", callId: "c2", toolName: "calculator", ok: false, text: "Not JSON." },
    ];
    const { model, sent } = setUp(wire.text, {
      topK: 40,
      seed: 7,
      stop: ["END"],
      hateSpeech: "only-high",
      thinkingLevel: "low",
      temperature: 0.7,
      maxTokens: 1000,
    });
    await collect(model, modelRequest({ messages, tools: [calculator], toolChoice: "required" }));
    expect(sent[0]?.url.pathname).toBe("/v1beta/models/gemini-3-pro-preview:streamGenerateContent");
    expect(sent[0]?.url.search).toBe("?alt=sse");
    expect(sent[0]?.body).toEqual({
      systemInstruction: { role: "user", parts: [{ text: "Be brief." }] },
      contents: [
        { role: "user", parts: [{ text: "Look" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }] },
        {
          role: "model",
          parts: [
            {
              functionCall: { name: "calculator", args: { expression: "1+1" } },
              thoughtSignature: "skip_thought_signature_validator",
            },
            { functionCall: { name: "calculator", args: {} } },
          ],
        },
        {
          role: "user",
          parts: [
            { functionResponse: { name: "calculator", response: { output: "2" } } },
            { functionResponse: { name: "calculator", response: { error: "Not JSON." } } },
          ],
        },
      ],
      tools: [
        {
          functionDeclarations: [
            { name: "calculator", description: "Calculates.", parametersJsonSchema: calculator.parameters },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: "ANY" } },
      safetySettings: [{ category: "HARM_CATEGORY_HATE_SPEECH", threshold: "BLOCK_ONLY_HIGH" }],
      generationConfig: {
        temperature: 0.7,
        maxOutputTokens: 1000,
        topK: 40,
        seed: 7,
        stopSequences: ["END"],
        thinkingConfig: { includeThoughts: true, thinkingLevel: "LOW" },
      },
    });
  });

  it("leaves temperature and limit to the model unless they are set", async () => {
    const { model, sent } = setUp(wire.text);
    await collect(model);
    expect(sent[0]?.body).toMatchObject({ generationConfig: { thinkingConfig: {} } });
    expect(JSON.stringify(sent[0]?.body)).not.toMatch(/temperature|maxOutputTokens/);
  });

  it("searches and reads pages where switched on, beside tools only from Gemini 3 on", async () => {
    const both = { googleSearch: true, urlContext: true };
    const alone = setUp(wire.text, { ...both, model: "gemini-2.5-flash" });
    expect(summary(await collect(alone.model)).warnings).toEqual([]);
    expect(alone.sent[0]?.body).toMatchObject({ tools: [{ googleSearch: {} }, { urlContext: {} }] });

    const beside = setUp(wire.text, both);
    await collect(beside.model, modelRequest({ tools: [calculator] }));
    expect(beside.sent[0]?.body).toMatchObject({
      tools: [{ functionDeclarations: [{ name: "calculator" }] }, { googleSearch: {} }, { urlContext: {} }],
      toolConfig: { includeServerSideToolInvocations: true },
    });

    const older = setUp(wire.text, { googleSearch: true, model: "gemini-2.5-flash" });
    const { warnings } = summary(await collect(older.model, modelRequest({ tools: [calculator] })));
    expect(warnings).toEqual([expect.stringContaining("Google Search beside tools")]);
    expect(JSON.stringify(older.sent[0]?.body)).not.toContain("googleSearch");
  });

  it("shows what an answer is grounded on, and gives Google's own searches back as they came", async () => {
    const message = await messageOf(wire.grounded);
    expect(message).toMatchObject({
      sources: [{ url: "https://example.com/sky", title: "The sky" }, { url: "https://example.org/blue" }],
    });
    const { model, sent } = setUp(wire.text);
    await collect(model, modelRequest({ messages: [userMessage("Sky?"), message, userMessage("Sure?")] }));
    expect(sent[0]?.body).toMatchObject({
      contents: [{}, { role: "model", parts: [...searchParts, { text: "Blue." }] }, {}],
    });
  });

  it("puts arguments together that come in pieces", async () => {
    expect(await messageOf(wire.callInPieces)).toMatchObject({
      parts: [
        {
          type: "tool-call",
          toolName: "weather",
          arguments: '{"place":{"city":"New Delhi","tags":["a","b"]},"days":2,"exact":true,"note":null}',
          vendor: { thoughtSignature: "c2lnbg==" },
        },
        { type: "tool-call", toolName: "clock", arguments: '{"zone":"UTC"}' },
      ],
    });
  });

  it("gives thought signatures and call ids back on the parts that they came with", async () => {
    const message = await messageOf(wire.parallelCalls);
    const result: Message = { role: "tool", callId: "call-a", toolName: "calculator", ok: true, text: "2" };
    const { model, sent } = setUp(wire.text);
    await collect(model, modelRequest({ messages: [userMessage("A"), message, result], tools: [calculator] }));
    expect(sent[0]?.body).toMatchObject({
      contents: [
        { role: "user" },
        {
          role: "model",
          parts: [
            { text: "Both at once." },
            { functionCall: { id: "call-a" }, thoughtSignature: "c2lnbg==" },
            { functionCall: { id: "call-b" } },
          ],
        },
        { role: "user", parts: [{ functionResponse: { id: "call-a", response: { output: "2" } } }] },
      ],
    });
    const signed = setUp(wire.text);
    await collect(
      signed.model,
      modelRequest({ messages: [userMessage("A"), await messageOf(wire.thinkingAndText), userMessage("B")] }),
    );
    expect(signed.sent[0]?.body).toMatchObject({
      contents: [{}, { role: "model", parts: [{ text: "Done", thoughtSignature: "dGV4dA==" }] }, {}],
    });
  });

  it("uses a budget with 2.5, a level from 3 and neither before, and says what it left out", async () => {
    const ask = async (settings: JsonObject) => {
      const { model, sent } = setUp(wire.text, settings);
      const { warnings } = summary(await collect(model));
      return { body: sent[0]?.body, warnings };
    };
    const old = await ask({ model: "gemini-2.0-flash", thinkingBudget: 100 });
    expect(JSON.stringify(old.body)).not.toContain("thinkingConfig");
    expect(old.warnings).toHaveLength(1);
    const budget = await ask({ model: "gemini-2.5-flash", thinkingBudget: 100, thinkingLevel: "low" });
    expect(budget.body).toMatchObject({ generationConfig: { thinkingConfig: { thinkingBudget: 100 } } });
    expect(budget.warnings).toHaveLength(1);
  });

  it("asks for JSON by schema, and in words where tools forbid it", async () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const request = modelRequest({ responseFormat: { type: "json", schema }, tools: [calculator] });
    const current = setUp(wire.text);
    await collect(current.model, request);
    expect(current.sent[0]?.body).toMatchObject({
      generationConfig: { responseMimeType: "application/json", responseJsonSchema: schema },
    });
    const old = setUp(wire.text, { model: "gemini-2.5-flash" });
    const { warnings } = summary(await collect(old.model, request));
    expect(JSON.stringify(old.sent[0]?.body)).not.toContain("responseMimeType");
    expect(JSON.stringify(old.sent[0]?.body)).toContain("fits this JSON Schema");
    expect(warnings).toHaveLength(1);
  });
});

describe("gemini: what comes out", () => {
  it("streams text and counts cached and thinking tokens", async () => {
    const { text, last } = summary(await collect(setUp(wire.text).model));
    expect(text).toBe("Grüße, 世界 🌍!");
    expect(last).toEqual({
      type: "finish",
      message: { role: "assistant", parts: [{ type: "text", text: "Grüße, 世界 🌍!" }] },
      finishReason: "stop",
      rawFinishReason: "STOP",
      usage: { inputTokens: 20, outputTokens: 15, cachedInputTokens: 16, reasoningTokens: 5 },
    });
  });

  it("gives one call and parallel calls, each with an id", async () => {
    expect(summary(await collect(setUp(wire.oneCall).model)).last).toMatchObject({
      finishReason: "tool-calls",
      rawFinishReason: "STOP",
      message: {
        parts: [{ callId: expect.stringMatching(/./), toolName: "calculator", arguments: '{"expression":"2 × 3"}' }],
      },
    });
    expect(summary(await collect(setUp(wire.parallelCalls).model)).last).toMatchObject({
      message: {
        parts: [
          { type: "text", text: "Both at once." },
          { callId: "call-a", vendor: { id: "call-a", thoughtSignature: "c2lnbg==" } },
          { callId: "call-b", arguments: "{}" },
        ],
      },
    });
  });

  it("keeps thoughts apart and the signature with the text before it", async () => {
    const { text, reasoning, last } = summary(await collect(setUp(wire.thinkingAndText).model));
    expect([text, reasoning]).toEqual(["Done", "Let me think."]);
    expect(last).toMatchObject({
      message: {
        parts: [
          { type: "reasoning", text: "Let me think." },
          { type: "text", text: "Done", vendor: { thoughtSignature: "dGV4dA==" } },
        ],
      },
    });
  });

  it("maps filters, blocked prompts, length and unreadable calls", async () => {
    const ask = async (recording: Recording) => summary(await collect(setUp(recording).model)).last;
    expect(await ask(wire.filtered)).toMatchObject({ finishReason: "content-filter", rawFinishReason: "SAFETY" });
    expect(await ask(wire.blocked)).toMatchObject({
      type: "error",
      error: { code: "content_filter", retryable: false },
    });
    expect(await ask(wire.lengthStop)).toMatchObject({ finishReason: "length" });
    expect(await ask(wire.malformedCall)).toMatchObject({ type: "error", error: { retryable: true } });
  });

  it.each([
    ["MALFORMED_FUNCTION_CALL", wire.malformedAfterText, "other"],
    ["UNEXPECTED_TOOL_CALL", wire.unexpectedCall, "other"],
    ["LANGUAGE", wire.wrongLanguage, "other"],
    ["OTHER", wire.otherReason, "other"],
    ["SOMETHING_NEW", wire.unknownReason, "other"],
    ["RECITATION", wire.recitation, "content-filter"],
    ["BLOCKLIST", wire.blocklist, "content-filter"],
    ["PROHIBITED_CONTENT", wire.prohibited, "content-filter"],
    ["SPII", wire.personalData, "content-filter"],
  ])("never takes %s for a plain end", async (rawFinishReason, recording, finishReason) => {
    const { last } = summary(await collect(setUp(recording).model));
    expect(last).toMatchObject({ finishReason, rawFinishReason });
  });

  it("gives the same events for an answer in one piece", async () => {
    const { model, sent } = setUp(wire.whole, { streaming: false });
    const { text, reasoning, last } = summary(await collect(model));
    expect([text, reasoning]).toEqual(["In one piece.", "Hm."]);
    expect(last).toMatchObject({ finishReason: "tool-calls" });
    expect(sent[0]?.url.pathname).toMatch(/:generateContent$/);
  });

  it("S52 keeps the text before a cut, an error event and broken JSON, and ends with a retryable error", async () => {
    for (const recording of [wire.cutOff, wire.errorInStream, wire.malformed, wire.cutInJson]) {
      const { text, last } = summary(await collect(setUp(recording).model));
      expect(text).toMatch(/^Half/);
      expect(last).toMatchObject({ type: "error", error: { code: "model_error", retryable: true } });
    }
  });

  it("S51 says what a refusal means, and how long to wait", async () => {
    const cases = [
      [wire.badKey, { code: "invalid_credentials", retryable: false }],
      [wire.unauthorized, { code: "invalid_credentials", retryable: false }],
      [wire.rateLimited, { code: "rate_limit", retryable: true, retryAfterMs: 17_500 }],
      [wire.dayIsSpent, { code: "rate_limit", retryable: false }],
      [wire.noFreeTier, { code: "rate_limit", retryable: false }],
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

  it("passes on the proxy's own refusal as it is", async () => {
    const error = { code: "blocked_address", message: "Not there.", hint: "Elsewhere.", retryable: false };
    const { model } = setUp({ status: 403, headers: { "x-switchyard-error": "1" }, body: JSON.stringify({ error }) });
    expect(summary(await collect(model)).last).toMatchObject({ type: "error", error });
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
    for (const recording of [wire.text, wire.parallelCalls]) {
      const expected = await collect(setUp(recording).model);
      for (let cut = 1; cut < byteLength(recording); cut += 1) {
        expect(await collect(setUp(recording, {}, cut).model)).toEqual(expected);
      }
    }
  });
});

describe("gemini's model list", () => {
  const context = (recording: Recording) => ({
    host: replayHost(recording).host,
    credential: "credential-1",
    nodeId: "model",
  });
  const signal = new AbortController().signal;

  it("lists what chats, with those that go marked", async () => {
    expect(await geminiProvider.listModels(context(wire.models), signal)).toEqual([
      { id: "gemini-2.5-flash", title: "Gemini 2.5 Flash" },
      { id: "gemini-2.0-flash", title: "Gemini 2.0 Flash", retired: true },
    ]);
    await expect(geminiProvider.listModels(context(wire.badKey), signal)).rejects.toBeInstanceOf(RunError);
  });
});
