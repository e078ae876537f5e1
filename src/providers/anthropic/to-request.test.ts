import { describe, expect, it } from "vitest";
import { userMessage, type Message } from "../../engine/model/message.ts";
import { anthropicOver } from "../testing/anthropic-over.ts";
import { calculator } from "../testing/calculator.ts";
import { collect, modelRequest, summary } from "../testing/replay.ts";
import * as wire from "./recordings/messages.ts";

describe("anthropic: what is sent", () => {
  it("offers the vendor's search beside the tools or alone, where the model has it", async () => {
    const search = { type: "web_search_20250305", name: "web_search", max_uses: 5 };
    const { model, sent } = anthropicOver(wire.text, { webSearch: true });
    await collect(model, modelRequest({ tools: [calculator] }));
    await collect(model, modelRequest({ tools: [] }));
    await collect(model, modelRequest({ tools: [], toolChoice: "none" }));
    expect(sent).toMatchObject([
      { body: { tools: [{ name: "calculator" }, search] } },
      { body: { tools: [search] } },
      { body: { tools: [search], tool_choice: { type: "none" } } },
    ]);
    for (const { body } of sent.slice(0, 2)) expect(body).not.toHaveProperty("tool_choice");
    const older = anthropicOver(wire.text, { webSearch: true, model: "claude-3-haiku-20240307" });
    expect(summary(await collect(older.model)).warnings).toEqual([expect.stringContaining("cannot search the web")]);
    expect(older.sent[0]?.body).not.toHaveProperty("tools");
  });

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
    const { model, sent } = anthropicOver(wire.text, {
      promptCaching: false,
      stop: ["END"],
      effort: "low",
      maxTokens: 1000,
    });
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
    const { model, sent } = anthropicOver(wire.text);
    await collect(model, modelRequest({ messages: [{ role: "system", text: "Be brief." }, userMessage("A")] }));
    const cache_control = { type: "ephemeral" };
    expect(sent[0]?.body).toMatchObject({
      system: [{ text: "Be brief.", cache_control }],
      messages: [{ role: "user", content: [{ type: "text", text: "A", cache_control }] }],
    });
  });

  it("keeps the cache for an hour where asked", async () => {
    const { model, sent } = anthropicOver(wire.text, { cacheDuration: "1h" });
    await collect(model, modelRequest({ messages: [{ role: "system", text: "Be brief." }, userMessage("A")] }));
    const cache_control = { type: "ephemeral", ttl: "1h" };
    expect(sent[0]?.body).toMatchObject({
      system: [{ cache_control }],
      messages: [{ content: [{ cache_control }] }],
    });
  });

  it("writes nothing to the console about models that are soon retired", async () => {
    const written: unknown[] = [];
    const { warn } = console;
    console.warn = (...words: unknown[]) => written.push(words);
    try {
      for (const streaming of [true, false]) {
        const settings = { model: "claude-sonnet-4-5", thinkingBudget: 2000, streaming };
        await collect(anthropicOver(streaming ? wire.text : wire.whole, settings).model);
        await collect(anthropicOver(wire.text, { ...settings, model: "claude-opus-4-6" }).model);
      }
    } finally {
      console.warn = warn;
    }
    expect(written).toEqual([]);
  });

  it("sends sampling only to models that take it, under the API version that does", async () => {
    const old = anthropicOver(wire.text, { model: "claude-haiku-4-5", temperature: 0.2, topK: 40 });
    await collect(old.model);
    expect(old.sent[0]?.body).toMatchObject({ temperature: 0.2, top_k: 40 });
    expect(old.sent[0]?.headers.get("anthropic-version")).toBe("2023-06-01");

    const current = anthropicOver(wire.text, { temperature: 0.2, topK: 40 });
    const { warnings } = summary(await collect(current.model));
    expect(current.sent[0]?.body).not.toHaveProperty("temperature");
    expect(current.sent[0]?.body).not.toHaveProperty("top_k");
    expect(warnings).toHaveLength(2);
  });

  it("adds a thinking budget to the limit of models that take one and leaves out the temperature", async () => {
    const { model, sent } = anthropicOver(wire.text, {
      model: "claude-haiku-4-5",
      thinkingBudget: 2000,
      maxTokens: 1000,
    });
    await collect(model);
    expect(sent[0]?.body).toMatchObject({ thinking: { type: "enabled", budget_tokens: 2000 }, max_tokens: 3000 });
    expect(sent[0]?.body).not.toHaveProperty("temperature");
  });

  it("leaves room for what the model allows where no limit is set", async () => {
    const limits = { "claude-3-haiku-20240307": 4_096, "claude-3-5-sonnet-latest": 8_192, "claude-sonnet-5-5": 32_000 };
    for (const [name, limit] of Object.entries(limits)) {
      const { model, sent } = anthropicOver(wire.text, { model: name });
      await collect(model);
      expect(sent[0]?.body).toMatchObject({ max_tokens: limit });
    }
    const { model, sent } = anthropicOver(wire.text, { model: "claude-haiku-4-5", thinkingBudget: 40_000 });
    await collect(model);
    expect(sent[0]?.body).toMatchObject({ max_tokens: 44_096, thinking: { budget_tokens: 40_000 } });
  });

  it("asks for one tool call at a time where told", async () => {
    const { model, sent } = anthropicOver(wire.oneCall, { parallelToolCalls: false });
    await collect(model, modelRequest({ tools: [calculator] }));
    expect(sent[0]?.body).toMatchObject({ tool_choice: { type: "auto", disable_parallel_tool_use: true } });
    const old = anthropicOver(wire.oneCall, { model: "claude-haiku-4-5", parallelToolCalls: false });
    await collect(old.model, modelRequest({ tools: [calculator], toolChoice: "required" }));
    expect(old.sent[0]?.body).toMatchObject({ tool_choice: { type: "any", disable_parallel_tool_use: true } });
  });

  it("forces a tool call where the model allows it and says so where it does not", async () => {
    const request = modelRequest({ tools: [calculator], toolChoice: "required" });
    const old = anthropicOver(wire.oneCall, { model: "claude-haiku-4-5" });
    await collect(old.model, request);
    expect(old.sent[0]?.body).toMatchObject({ tool_choice: { type: "any" } });

    const current = anthropicOver(wire.oneCall);
    const { warnings } = summary(await collect(current.model, request));
    expect(current.sent[0]?.body).not.toHaveProperty("tool_choice");
    expect(JSON.stringify(current.sent[0]?.body)).toContain("You must call at least one of the tools");
    expect(warnings).toHaveLength(1);
  });

  it("asks for structured output with a closed schema, and in words where that is not possible", async () => {
    const schema = { type: "object", properties: { name: { type: "string", minLength: 2 } } };
    const request = modelRequest({ responseFormat: { type: "json", schema } });
    const current = anthropicOver(wire.text);
    await collect(current.model, request);
    expect(current.sent[0]?.body).toMatchObject({
      output_config: { format: { type: "json_schema", schema: { type: "object", additionalProperties: false } } },
    });
    const old = anthropicOver(wire.text, { model: "claude-3-haiku-20240307" });
    await collect(old.model, request);
    expect(JSON.stringify(old.sent[0]?.body)).toContain("fits this JSON Schema");
  });

  it("keeps naming tools of the history when none is offered any more", async () => {
    const messages: Message[] = [
      userMessage("A"),
      { role: "assistant", parts: [{ type: "tool-call", callId: "c", toolName: "calculator", arguments: "{}" }] },
      { role: "tool", callId: "c", toolName: "calculator", ok: true, text: "2" },
    ];
    const { model, sent } = anthropicOver(wire.text);
    await collect(model, modelRequest({ messages }));
    expect(sent[0]?.body).toMatchObject({ tools: [{ name: "calculator" }], tool_choice: { type: "none" } });
  });

  it("gives thinking back with its signature within the turn, to the same model only", async () => {
    const first = anthropicOver(wire.thinkingAndCall);
    const { last } = summary(await collect(first.model));
    if (last?.type !== "finish") throw new Error("It did not finish.");
    const result: Message = { role: "tool", callId: "toolu_a", toolName: "calculator", ok: true, text: "2" };
    const turn: Message[] = [userMessage("1+1?"), last.message, result];
    const blocksSent = async (model: string, messages: Message[]) => {
      const next = anthropicOver(wire.text, { model });
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
