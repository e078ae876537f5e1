import { describe, expect, it } from "vitest";
import { anthropicOver } from "../testing/anthropic-over.ts";
import { byteLength, collect, summary } from "../testing/replay.ts";
import { toAnthropicMessages } from "./messages.ts";
import * as wire from "./recordings/messages.ts";

describe("anthropic: what comes out", () => {
  it("streams text and counts the cache in", async () => {
    const { text, last } = summary(await collect(anthropicOver(wire.text).model));
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
    expect(summary(await collect(anthropicOver(wire.oneCall).model)).last).toMatchObject({
      finishReason: "tool-calls",
      message: { parts: [{ callId: "toolu_a", toolName: "calculator", arguments: '{"expression": "1+1"}' }] },
    });
    expect(summary(await collect(anthropicOver(wire.parallelCalls).model)).last).toMatchObject({
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
    const { reasoning, last } = summary(await collect(anthropicOver(wire.thinkingAndCall).model));
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

  it("reads a thinking block that starts without its members", async () => {
    const { last } = summary(await collect(anthropicOver(wire.bareThinking).model));
    expect(last).toMatchObject({ message: { parts: [{ text: "Hm.", vendor: { proof: "" } }, { text: "Yes." }] } });
  });

  it("maps a refusal with its reason, and the length stop", async () => {
    const refused = summary(await collect(anthropicOver(wire.refusal).model));
    expect(refused.last).toMatchObject({ finishReason: "content-filter", rawFinishReason: "refusal" });
    expect(refused.warnings).toEqual(["Claude declined: It could do harm."]);
    expect(summary(await collect(anthropicOver(wire.lengthStop).model)).last).toMatchObject({
      finishReason: "length",
      rawFinishReason: "max_tokens",
    });
  });

  it("maps a full context to the length stop, and gives a call that was cut no arguments", async () => {
    expect(summary(await collect(anthropicOver(wire.contextFull).model)).last).toMatchObject({
      finishReason: "length",
      rawFinishReason: "model_context_window_exceeded",
    });
    expect(summary(await collect(anthropicOver(wire.cutCall).model)).last).toMatchObject({
      finishReason: "length",
      message: { parts: [{ arguments: '{"expression":"1+1"}' }, { callId: "toolu_b", arguments: "" }] },
    });
  });

  it("names the pages of the vendor's search: those cited, else those found", async () => {
    const cited = summary(await collect(anthropicOver(wire.searched).model));
    expect(cited.text).toBe("It is blue");
    expect(cited.last).toMatchObject({ message: { sources: [{ url: "https://example.com/sky", title: "Sky" }] } });
    const found = summary(await collect(anthropicOver(wire.searchedWithoutCitation).model)).last;
    expect(found).toMatchObject({
      message: { sources: [{ url: "https://example.com/sky" }, { url: "https://example.org/blue", title: "Blue" }] },
    });
  });

  it("says when a search failed", async () => {
    const { warnings, last } = summary(await collect(anthropicOver(wire.searchFailed).model));
    expect(warnings).toEqual([expect.stringContaining("The limit of searches for one answer was reached.")]);
    expect(last?.type === "finish" && last.message).not.toHaveProperty("sources");
  });

  it("sends a search back within its turn, with what is said after it", async () => {
    const { last } = summary(await collect(anthropicOver(wire.searched).model));
    if (last?.type !== "finish") throw new Error("The answer did not finish.");
    const question = { role: "user" as const, parts: [{ type: "text" as const, text: "Sky?" }] };
    const { messages } = toAnthropicMessages([question, last.message], "claude-sonnet-5-5", ["Be brief."]);
    expect(messages.map(({ content }) => content.map(({ type }) => type))).toEqual([
      ["text"],
      ["server_tool_use", "web_search_tool_result", "text", "text"],
      ["text", "text"],
    ]);
  });

  it("keeps what a paused turn was doing, so that it can be sent back as it came", async () => {
    const { text, last } = summary(await collect(anthropicOver(wire.paused).model));
    expect(text).toBe("Let me search. ");
    expect(last).toMatchObject({ finishReason: "pause", rawFinishReason: "pause_turn" });
    if (last?.type !== "finish") throw new Error("The answer did not finish.");
    const question = { role: "user" as const, parts: [{ type: "text" as const, text: "Sky?" }] };
    expect(toAnthropicMessages([question, last.message], "claude-sonnet-5-5").messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Sky?" }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Let me search. " },
          { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "sky" } },
        ],
      },
    ]);
    // Another model knows nothing of it and is asked to go on.
    expect(toAnthropicMessages([question, last.message], "claude-other").messages.at(-1)?.role).toBe("user");
  });

  it("says when thinking used up the limit", async () => {
    expect(summary(await collect(anthropicOver(wire.reasonedOnly).model)).warnings).toEqual([
      expect.stringContaining("max tokens"),
    ]);
  });

  it("gives the same events for an answer in one piece", async () => {
    const { model, sent } = anthropicOver(wire.whole, { streaming: false });
    const { text, reasoning, last } = summary(await collect(model));
    expect([text, reasoning]).toEqual(["In one piece.", "Hm."]);
    expect(last).toMatchObject({
      finishReason: "tool-calls",
      message: { parts: [{}, {}, { arguments: '{"expression":"1+1"}' }] },
    });
    expect(sent[0]?.body).not.toHaveProperty("stream");
  });

  it("gives the words of an error that came as a whole answer", async () => {
    const { last } = summary(await collect(anthropicOver(wire.wholeError, { streaming: false }).model));
    expect(last).toMatchObject({ type: "error", error: { code: "model_error", retryable: true } });
    expect(last?.type === "error" && last.error.message).toContain("Overloaded for now");
  });

  it("S52 keeps the text before a cut, an error event and broken JSON, and ends with a retryable error", async () => {
    for (const recording of [wire.cutOff, wire.overloadedInStream, wire.malformed]) {
      const { text, last } = summary(await collect(anthropicOver(recording).model));
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
      const { model, sent } = anthropicOver(recording);
      expect(await collect(model)).toMatchObject([{ type: "error", error: expected }]);
      expect(sent).toHaveLength(1);
    }
  });

  it("gives the same events wherever the bytes are cut in two", async () => {
    for (const recording of [wire.text, wire.thinkingAndCall]) {
      const expected = await collect(anthropicOver(recording).model);
      for (let cut = 1; cut < byteLength(recording); cut += 1) {
        expect(await collect(anthropicOver(recording, {}, cut).model)).toEqual(expected);
      }
    }
  });
});
