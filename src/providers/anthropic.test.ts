import { describe, expect, it } from "vitest";
import type { JsonObject } from "../engine/json.ts";
import type { ToolDefinition } from "../engine/model/chat-model.ts";
import { userMessage, type Message } from "../engine/model/message.ts";
import { RunError } from "../engine/run/errors.ts";
import { anthropicProvider } from "./anthropic.ts";
import { claudeTraits } from "./anthropic/model-traits.ts";
import * as wire from "./anthropic/recordings/messages.ts";
import { byteLength, collect, modelRequest, replayHost, summary, type Cut, type Recording } from "./testing/replay.ts";

const calculator: ToolDefinition = {
  name: "calculator",
  description: "Calculates.",
  parameters: { type: "object", properties: { expression: { type: "string" } }, required: ["expression"] },
};

function setUp(recording: Recording, settings: JsonObject = {}, cut: Cut = "single-bytes") {
  const { host, sent } = replayHost(recording, cut);
  const { model: name = "claude-sonnet-5-5", ...config } = settings;
  const model = anthropicProvider.create(
    { ...anthropicProvider.config.parse(config), model: String(name) },
    { host, credential: "credential-1", nodeId: "model" },
  );
  return { model, sent };
}

describe("anthropic: what is sent", () => {
  it("puts instructions apart, joins turns, puts tool results first and leaves out empty text", async () => {
    const messages: Message[] = [
      { role: "system", text: "Be brief." },
      {
        role: "user",
        parts: [
          { type: "text", text: "Look" },
          { type: "image", url: "data:image/png;base64,AAAA" },
          { type: "image", url: "https://example.com/a.png" },
        ],
      },
      {
        role: "assistant",
        parts: [
          { type: "text", text: " " },
          { type: "tool-call", callId: "call:1", toolName: "calculator", arguments: '{"expression":"1+1"}' },
          { type: "tool-call", callId: "call_2", toolName: "calculator", arguments: '{"expr' },
        ],
      },
      { role: "tool", callId: "call:1", toolName: "calculator", ok: true, text: "2" },
      { role: "tool", callId: "call_2", toolName: "calculator", ok: false, text: "Not JSON." },
      userMessage("Go on."),
    ];
    const { model, sent } = setUp(wire.text, { promptCaching: false, stop: ["END"], effort: "low" });
    await collect(model, modelRequest({ messages, tools: [calculator] }));
    expect(sent[0]?.url.pathname).toBe("/v1/messages");
    expect(sent[0]?.headers.get("anthropic-version")).toBe("2026-10-21");
    expect(sent[0]?.body).toEqual({
      model: "claude-sonnet-5-5",
      max_tokens: 1000,
      system: [{ type: "text", text: "Be brief." }],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Look" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
            { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "tool_use", id: "call_1", name: "calculator", input: { expression: "1+1" } },
            { type: "tool_use", id: "call_2", name: "calculator", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "call_1", content: "2" },
            { type: "tool_result", tool_use_id: "call_2", content: "Not JSON.", is_error: true },
            { type: "text", text: "Go on." },
          ],
        },
      ],
      stop_sequences: ["END"],
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "low" },
      tools: [{ name: "calculator", description: "Calculates.", input_schema: calculator.parameters }],
      stream: true,
    });
  });

  it("marks system prompt and last message for the cache", async () => {
    const { model, sent } = setUp(wire.text);
    await collect(model, modelRequest({ messages: [{ role: "system", text: "Be brief." }, userMessage("A")] }));
    const cache_control = { type: "ephemeral" };
    expect(sent[0]?.body).toMatchObject({
      system: [{ text: "Be brief.", cache_control }],
      messages: [{ role: "user", content: [{ type: "text", text: "A", cache_control }] }],
    });
  });

  it("sends sampling only to models that take it, under the API version that does", async () => {
    const old = setUp(wire.text, { model: "claude-haiku-4-5", temperature: 0.2, topK: 40 });
    await collect(old.model);
    expect(old.sent[0]?.body).toMatchObject({ temperature: 0.2, top_k: 40 });
    expect(old.sent[0]?.headers.get("anthropic-version")).toBe("2023-06-01");

    const current = setUp(wire.text, { temperature: 0.2, topK: 40 });
    const { warnings } = summary(await collect(current.model));
    expect(current.sent[0]?.body).not.toHaveProperty("temperature");
    expect(current.sent[0]?.body).not.toHaveProperty("top_k");
    expect(warnings).toHaveLength(2);
  });

  it("adds a thinking budget to the limit of models that take one and leaves out the temperature", async () => {
    const { model, sent } = setUp(wire.text, { model: "claude-haiku-4-5", thinkingBudget: 2000 });
    await collect(model);
    expect(sent[0]?.body).toMatchObject({ thinking: { type: "enabled", budget_tokens: 2000 }, max_tokens: 3000 });
    expect(sent[0]?.body).not.toHaveProperty("temperature");
  });

  it("forces a tool call where the model allows it and says so where it does not", async () => {
    const request = modelRequest({ tools: [calculator], toolChoice: "required" });
    const old = setUp(wire.oneCall, { model: "claude-haiku-4-5" });
    await collect(old.model, request);
    expect(old.sent[0]?.body).toMatchObject({ tool_choice: { type: "any" } });

    const current = setUp(wire.oneCall);
    const { warnings } = summary(await collect(current.model, request));
    expect(current.sent[0]?.body).not.toHaveProperty("tool_choice");
    expect(JSON.stringify(current.sent[0]?.body)).toContain("You must call at least one of the tools");
    expect(warnings).toHaveLength(1);
  });

  it("asks for structured output with a closed schema, and in words where that is not possible", async () => {
    const schema = { type: "object", properties: { name: { type: "string", minLength: 2 } } };
    const request = modelRequest({ responseFormat: { type: "json", schema } });
    const current = setUp(wire.text);
    await collect(current.model, request);
    expect(current.sent[0]?.body).toMatchObject({
      output_config: { format: { type: "json_schema", schema: { type: "object", additionalProperties: false } } },
    });
    const old = setUp(wire.text, { model: "claude-3-haiku-20240307" });
    await collect(old.model, request);
    expect(JSON.stringify(old.sent[0]?.body)).toContain("fits this JSON Schema");
  });

  it("keeps naming tools of the history when none is offered any more", async () => {
    const messages: Message[] = [
      userMessage("A"),
      { role: "assistant", parts: [{ type: "tool-call", callId: "c", toolName: "calculator", arguments: "{}" }] },
      { role: "tool", callId: "c", toolName: "calculator", ok: true, text: "2" },
    ];
    const { model, sent } = setUp(wire.text);
    await collect(model, modelRequest({ messages }));
    expect(sent[0]?.body).toMatchObject({ tools: [{ name: "calculator" }], tool_choice: { type: "none" } });
  });

  it("gives thinking back with its signature within the turn, to the same model only", async () => {
    const first = setUp(wire.thinkingAndCall);
    const { last } = summary(await collect(first.model));
    if (last?.type !== "finish") throw new Error("It did not finish.");
    const result: Message = { role: "tool", callId: "toolu_a", toolName: "calculator", ok: true, text: "2" };
    const turn: Message[] = [userMessage("1+1?"), last.message, result];
    const blocksSent = async (model: string, messages: Message[]) => {
      const next = setUp(wire.text, { model });
      await collect(next.model, modelRequest({ messages, tools: [calculator] }));
      return JSON.stringify(next.sent[0]?.body);
    };
    const same = await blocksSent("claude-sonnet-5-5", turn);
    expect(same).toContain('{"type":"thinking","thinking":"Let me add.","signature":"c2lnbmF0dXJl"}');
    expect(same).toContain('{"type":"redacted_thinking","data":"cmVkYWN0ZWQ="}');
    expect(await blocksSent("claude-opus-5-5", turn)).not.toContain("signature");
    expect(
      await blocksSent("claude-sonnet-5-5", [
        ...turn,
        { role: "assistant", parts: [{ type: "text", text: "2" }] },
        userMessage("Thanks"),
      ]),
    ).not.toContain("signature");
  });
});

describe("anthropic: what comes out", () => {
  it("streams text and counts the cache in", async () => {
    const { text, last } = summary(await collect(setUp(wire.text).model));
    expect(text).toBe("Grüße, 世界 🌍");
    expect(last).toEqual({
      type: "finish",
      message: { role: "assistant", parts: [{ type: "text", text: "Grüße, 世界 🌍" }] },
      finishReason: "stop",
      rawFinishReason: "end_turn",
      usage: { inputTokens: 520, outputTokens: 33, cachedInputTokens: 400 },
    });
  });

  it("joins split arguments and keeps parallel calls apart, also one without arguments", async () => {
    expect(summary(await collect(setUp(wire.oneCall).model)).last).toMatchObject({
      finishReason: "tool-calls",
      message: { parts: [{ callId: "toolu_a", toolName: "calculator", arguments: '{"expression": "1+1"}' }] },
    });
    expect(summary(await collect(setUp(wire.parallelCalls).model)).last).toMatchObject({
      message: {
        parts: [
          { type: "text", text: "Both at once." },
          { callId: "toolu_a", arguments: '{"expression":"1+1"}' },
          { callId: "toolu_b", toolName: "clock", arguments: "{}" },
        ],
      },
    });
  });

  it("streams thinking and keeps its signature", async () => {
    const { reasoning, last } = summary(await collect(setUp(wire.thinkingAndCall).model));
    expect(reasoning).toBe("Let me add.");
    expect(last).toMatchObject({
      message: {
        parts: [
          { type: "reasoning", vendor: { type: "thinking", proof: "c2lnbmF0dXJl", model: "claude-sonnet-5-5" } },
          { type: "reasoning", text: "", vendor: { type: "redacted_thinking", proof: "cmVkYWN0ZWQ=" } },
          { type: "tool-call" },
        ],
      },
    });
  });

  it("maps a refusal with its reason, and the length stop", async () => {
    const refused = summary(await collect(setUp(wire.refusal).model));
    expect(refused.last).toMatchObject({ finishReason: "content-filter", rawFinishReason: "refusal" });
    expect(refused.warnings).toEqual(["Claude declined: It could do harm."]);
    expect(summary(await collect(setUp(wire.lengthStop).model)).last).toMatchObject({
      finishReason: "length",
      rawFinishReason: "max_tokens",
    });
  });

  it("says when thinking used up the limit", async () => {
    expect(summary(await collect(setUp(wire.thoughtAway).model)).warnings).toEqual([
      expect.stringContaining("max tokens"),
    ]);
  });

  it("gives the same events for an answer in one piece", async () => {
    const { model, sent } = setUp(wire.whole, { streaming: false });
    const { text, reasoning, last } = summary(await collect(model));
    expect([text, reasoning]).toEqual(["In one piece.", "Hm."]);
    expect(last).toMatchObject({
      finishReason: "tool-calls",
      message: { parts: [{}, {}, { arguments: '{"expression":"1+1"}' }] },
    });
    expect(sent[0]?.body).not.toHaveProperty("stream");
  });

  it("S52 keeps the text before a cut, an error event and broken JSON, and ends with a retryable error", async () => {
    for (const recording of [wire.cutOff, wire.overloadedInStream, wire.malformed]) {
      const { text, last } = summary(await collect(setUp(recording).model));
      expect(text).toMatch(/^Half/);
      expect(last).toMatchObject({ type: "error", error: { code: "model_error", retryable: true } });
    }
  });

  it("S51 says what a refusal means, and how long to wait", async () => {
    const cases = [
      [wire.unauthorized, { code: "invalid_credentials", retryable: false }],
      [wire.rateLimited, { code: "rate_limit", retryable: true, retryAfterMs: 12_000 }],
      [wire.overloaded, { code: "model_error", retryable: true }],
      [wire.tooLong, { code: "context_length", retryable: false }],
      [wire.noCredit, { code: "rate_limit", retryable: false }],
      [wire.unknownModel, { code: "invalid_config", retryable: false }],
    ] as const;
    for (const [recording, expected] of cases) {
      const { model, sent } = setUp(recording);
      expect(await collect(model)).toMatchObject([{ type: "error", error: expected }]);
      expect(sent).toHaveLength(1);
    }
  });

  it("gives the same events wherever the bytes are cut in two", async () => {
    for (const recording of [wire.text, wire.thinkingAndCall]) {
      const expected = await collect(setUp(recording).model);
      for (let cut = 1; cut < byteLength(recording); cut += 1) {
        expect(await collect(setUp(recording, {}, cut).model)).toEqual(expected);
      }
    }
  });
});

describe("anthropic's models", () => {
  const context = (recording: Recording) => ({
    host: replayHost(recording).host,
    credential: "credential-1",
    nodeId: "model",
  });
  const signal = new AbortController().signal;

  it("lists what the vendor has, with those that go marked", async () => {
    expect(await anthropicProvider.listModels(context(wire.models), signal)).toEqual([
      { id: "claude-sonnet-5-5", title: "Claude Sonnet 5.5" },
      { id: "claude-sonnet-4-5", title: "Claude Sonnet 4.5", retired: true },
    ]);
    await expect(anthropicProvider.listModels(context(wire.unauthorized), signal)).rejects.toBeInstanceOf(RunError);
  });

  it("knows by the version in a name how a model thinks and samples", () => {
    const kinds = (model: string) => {
      const { thinking, sampling, structured } = claudeTraits(model);
      return [thinking, sampling, structured];
    };
    expect(kinds("claude-3-5-haiku-20241022")).toEqual(["none", true, false]);
    expect(kinds("claude-3-7-sonnet-20250219")).toEqual(["budget", true, false]);
    expect(kinds("claude-haiku-4-5-20251001")).toEqual(["budget", true, true]);
    expect(kinds("claude-sonnet-4-20250514")).toEqual(["budget", true, false]);
    expect(kinds("claude-opus-4-6")).toEqual(["adaptive", true, true]);
    expect(kinds("claude-opus-4-8")).toEqual(["adaptive", false, true]);
    expect(kinds("claude-sonnet-5")).toEqual(["always", false, true]);
    expect(kinds("claude-mythos-preview")).toEqual(["always", false, true]);
  });
});
