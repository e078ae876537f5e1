import { describe, expect, it } from "vitest";
import { calculator } from "../testing/calculator.ts";
import { exchange, openaiOver } from "../testing/openai-over.ts";
import { byteLength, collect, modelRequest, summary, type Recording } from "../testing/replay.ts";
import * as responses from "./recordings/responses.ts";

describe("openai over Responses", () => {
  const reasoning = { model: "gpt-5-mini", reasoningEffort: "high" };

  it("is used for reasoning models with tools and gives their thoughts back unchanged", async () => {
    const { model, sent } = openaiOver(responses.reasoningAndCalls, reasoning);
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
    const { model } = openaiOver(responses.reasoningAndCalls, reasoning);
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
      summary(await collect(openaiOver(recording, { ...reasoning, api: "responses" }).model));
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
    const { model } = openaiOver(responses.whole, { ...reasoning, streaming: false });
    const { text, last } = summary(await collect(model, modelRequest({ tools: [calculator] })));
    expect(text).toBe("Grüße 🌍");
    expect(last).toMatchObject({ message: { parts: [{ type: "reasoning" }, { type: "text" }] } });
  });

  it("warns of settings that only Chat Completions has", async () => {
    const { model } = openaiOver(responses.textAnswer, { ...reasoning, seed: 1 });
    const { warnings } = summary(await collect(model, modelRequest({ tools: [calculator] })));
    expect(warnings).toEqual([expect.stringContaining("seed")]);
  });

  it("gives the same events wherever the bytes are cut in two", async () => {
    const recording = responses.textAnswer;
    const settings = { ...reasoning, api: "responses" };
    const expected = await collect(openaiOver(recording, settings).model);
    for (let cut = 1; cut < byteLength(recording); cut += 1) {
      expect(await collect(openaiOver(recording, settings, cut).model)).toEqual(expected);
    }
  });
});
