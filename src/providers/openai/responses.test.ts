import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import type { JsonObject } from "../../engine/json.ts";
import { type Message, userMessage } from "../../engine/model/message.ts";
import { calculator } from "../testing/calculator.ts";
import { answering, exchange, openaiOver } from "../testing/openai-over.ts";
import { drawnPicture, searchCall } from "../testing/own-searches.ts";
import { byteLength, collect, modelRequest, summary, type Recording } from "../testing/replay.ts";
import * as chat from "./recordings/chat.ts";
import * as responses from "./recordings/responses.ts";

/** Two requests come of it, unlike of the others. */
const unverified: Recording = {
  status: 400,
  body: JSON.stringify({
    error: {
      message:
        "Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.",
      type: "invalid_request_error",
      param: "reasoning.summary",
      code: "unsupported_value",
    },
  }),
};

describe("openai over Responses", () => {
  const reasoning = { model: "gpt-5-mini", reasoningEffort: "high" };

  it("is the usual API; Chat Completions is for models and settings that have nothing else", async () => {
    const pathOf = async (settings: JsonObject) => {
      const { model, sent } = openaiOver(responses.textAnswer, settings);
      await collect(model);
      return sent[0]?.url.pathname;
    };
    for (const model of ["gpt-4o-mini", "gpt-4.1", "gpt-5-mini", "gpt-5-pro", "ft:gpt-4o-mini:acme"])
      expect(await pathOf({ model })).toBe("/responses");
    expect(await pathOf({ seed: 1, webSearch: true })).toBe("/responses");
    const chatOnly: JsonObject[] = [
      { model: "gpt-4o-search-preview" },
      { model: "o1-mini" },
      { api: "chat" },
      { seed: 1 },
      { stop: ["END"] },
      { presencePenalty: 1 },
    ];
    for (const settings of chatOnly) expect(await pathOf(settings)).toBe("/chat/completions");
  });

  it("sets no piece of one text apart where every piece has an item id of its own", async () => {
    const { model } = openaiOver(responses.changingIds, { model: "gpt-5-mini" });
    expect(summary(await collect(model)).text).toBe("Grüße 🌍");
  });

  it("has OpenAI's own switches", async () => {
    const { model, sent } = openaiOver(responses.textAnswer, {
      model: "gpt-5.4",
      verbosity: "high",
      serviceTier: "priority",
      parallelToolCalls: false,
      webSearch: true,
    });
    const closed = { ...calculator, parameters: { ...calculator.parameters, additionalProperties: false } };
    await collect(model, modelRequest({ tools: [calculator, closed], toolChoice: "none" }));
    expect(sent[0]?.body).toMatchObject({
      text: { verbosity: "high" },
      service_tier: "priority",
      parallel_tool_calls: false,
      tool_choice: "none",
      tools: [{ strict: false }, { strict: true }, { type: "web_search" }],
      include: ["reasoning.encrypted_content", "web_search_call.action.sources"],
      reasoning: { summary: "auto" },
    });
  });

  it("leads requests with the same beginning to the same cache", async () => {
    const keyOf = async (text: string) => {
      const { model, sent } = openaiOver(responses.textAnswer);
      await collect(model, modelRequest({ messages: [{ role: "system", text }, userMessage("Hi")] }));
      return z.object({ prompt_cache_key: z.string().check(z.maxLength(64)) }).parse(sent[0]?.body).prompt_cache_key;
    };
    expect(await keyOf("Be brief.")).toBe(await keyOf("Be brief."));
    expect(await keyOf("Be brief.")).not.toBe(await keyOf("Be long."));
  });

  it("keeps comment and answer apart, cites what the answer cites, and gives its search back", async () => {
    const { model } = openaiOver(responses.searched, { model: "gpt-5.4", webSearch: true });
    const { text, reasoning: thoughts, last } = summary(await collect(model));
    expect(text).toBe("I will look.\n\nIt is blue.");
    expect(thoughts).toBe("First.\n\nSecond.");
    if (last?.type !== "finish") throw new Error("It did not finish.");
    expect(last.message.sources).toEqual([{ url: "https://example.com/sky", title: "The sky" }]);
    const next = openaiOver(responses.textAnswer, { model: "gpt-5.4", webSearch: true });
    await collect(next.model, modelRequest({ messages: [userMessage("Sky?"), last.message, userMessage("Sure?")] }));
    expect(next.sent[0]?.body).toMatchObject({
      input: [
        { role: "user" },
        { type: "reasoning", id: "rs_1" },
        { role: "assistant", content: "I will look.", phase: "commentary" },
        searchCall,
        { role: "assistant", content: "It is blue.", phase: "final_answer" },
        { role: "user" },
      ],
    });
  });

  it("draws where that is switched on, and gives the picture back as the call that made it", async () => {
    const { model, sent } = openaiOver(responses.drew, { model: "gpt-5.4", imageGeneration: true, seed: 1 });
    const { last } = summary(await collect(model));
    expect(sent[0]?.url.pathname).toBe("/responses");
    expect(sent[0]?.body).toMatchObject({ tools: [{ type: "image_generation" }] });
    expect(model.uncounted).toBe("pictures");
    expect(
      openaiOver(responses.drew, { model: "gpt-5.4", imageGeneration: true, api: "chat" }).model,
    ).not.toHaveProperty("uncounted");
    if (last?.type !== "finish") throw new Error("It did not finish.");
    const pictures = last.message.parts.filter(({ type }) => type === "image");
    expect(pictures).toMatchObject([{ url: `data:image/webp;base64,${drawnPicture.result}` }]);
    const next = openaiOver(responses.textAnswer, { model: "gpt-5.4" });
    const other: Message = { role: "assistant", parts: [{ type: "image", url: "data:image/png;base64,AAAA" }] };
    await collect(next.model, modelRequest({ messages: [last.message, other, userMessage("Bluer")] }));
    const { output_format: _format, ...call } = drawnPicture;
    expect(next.sent[0]?.body).toMatchObject({
      input: [{ type: "reasoning" }, call, { role: "assistant", content: "Grüße 🌍" }, { role: "user" }],
    });
    expect(next.sent[0]?.body).not.toHaveProperty("tools");
  });

  it("names what it found where the answer cites nothing", async () => {
    const { last } = summary(await collect(openaiOver(responses.searchedWithoutCitation, { webSearch: true }).model));
    expect(last).toMatchObject({ message: { sources: [{ url: "https://example.com/sky" }] } });
  });

  it("takes a prompt that it will not answer for what it is", async () => {
    const { last } = summary(await collect(openaiOver(responses.invalidPrompt, reasoning).model));
    expect(last).toMatchObject({ type: "error", error: { code: "content_filter", retryable: false } });
  });

  it("goes on without summaries where the account has none, and says so once", async () => {
    const { model, sent } = answering([unverified, responses.textAnswer, responses.textAnswer], reasoning);
    const first = summary(await collect(model));
    expect(first).toMatchObject({ text: "Grüße 🌍", warnings: [expect.stringContaining("no summaries")] });
    expect(summary(await collect(model)).warnings).toEqual([]);
    expect(sent.map(({ body }) => z.object({ reasoning: z.json() }).parse(body).reasoning)).toEqual([
      { effort: "high", summary: "auto" },
      { effort: "high" },
      { effort: "high" },
    ]);
  });

  it("asks a gateway that has no Responses over Chat Completions, from then on", async () => {
    const notFound: Recording = { status: 404, body: '{"error":{"message":"Not found"}}' };
    const { model, sent } = answering([notFound, chat.text, chat.text], {});
    for (let call = 0; call < 2; call += 1) expect(summary(await collect(model)).text).toBe("Grüße, 世界 🌍!");
    expect(sent.map(({ url }) => url.pathname)).toEqual(["/responses", "/chat/completions", "/chat/completions"]);

    const unknown = answering([responses.unknownModel], {});
    expect(summary(await collect(unknown.model)).last).toMatchObject({ error: { code: "invalid_config" } });
    expect(unknown.sent).toHaveLength(1);
    const asked = answering([notFound], { api: "responses" });
    expect(summary(await collect(asked.model)).last).toMatchObject({ type: "error" });
    expect(asked.sent).toHaveLength(1);
  });

  it("is used for reasoning models with tools and gives their thoughts back unchanged", async () => {
    const { model, sent } = openaiOver(responses.reasoningAndCalls, { ...reasoning, maxTokens: 1000 });
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
      prompt_cache_key: expect.stringMatching(/^switchyard-/),
      store: false,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "high", summary: "auto" },
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
