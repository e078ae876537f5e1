import { describe, expect, it } from "vitest";
import * as chat from "./recordings/chat.ts";
import { calculator } from "../testing/calculator.ts";
import { exchange, chatOver } from "../testing/openai-over.ts";
import { collect, modelRequest, summary } from "../testing/replay.ts";

describe("openai over Chat Completions: what is sent", () => {
  it("sends the conversation, tools and settings to the path below the credential's base URL", async () => {
    const { model, sent } = chatOver(chat.text, {
      temperature: 0.2,
      topP: 0.9,
      seed: 7,
      stop: ["END"],
      frequencyPenalty: 0.5,
      maxTokens: 1000,
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
      const { model, sent } = chatOver(chat.text);
      await collect(model, modelRequest({ responseFormat: { type: "json", schema } }));
      expect(sent[0]?.body).toMatchObject({
        response_format: { type: "json_schema", json_schema: { schema, strict: expected } },
      });
    }
  });

  it("adds the word that JSON mode demands, and says so", async () => {
    const { model, sent } = chatOver(chat.text, { jsonMode: true });
    const { warnings } = summary(await collect(model));
    expect(sent[0]?.body).toMatchObject({
      response_format: { type: "json_object" },
      messages: [{ role: "system", content: "Answer with a JSON object." }, { role: "user" }],
    });
    expect(warnings).toHaveLength(1);
  });

  it("leaves out what a reasoning model refuses, with one warning for each setting that was chosen", async () => {
    const { model, sent } = chatOver(chat.text, {
      model: "o4-mini",
      temperature: 1.5,
      stop: ["X"],
      reasoningEffort: "low",
      maxTokens: 1000,
    });
    const first = summary(await collect(model));
    expect(sent[0]?.body).not.toHaveProperty("temperature");
    expect(sent[0]?.body).toMatchObject({ reasoning_effort: "low", max_completion_tokens: 1000 });
    expect(first.warnings).toHaveLength(2);
    expect(summary(await collect(model)).warnings).toHaveLength(0);
  });

  it("has OpenAI's own switches, and says which of them it lacks", async () => {
    const { model, sent } = chatOver(chat.text, {
      model: "gpt-5-mini",
      verbosity: "low",
      serviceTier: "flex",
      parallelToolCalls: false,
      webSearch: true,
      imageGeneration: true,
    });
    const closed = { ...calculator, parameters: { ...calculator.parameters, additionalProperties: false } };
    const { warnings } = summary(await collect(model, modelRequest({ tools: [calculator, closed] })));
    expect(sent[0]?.body).toMatchObject({
      verbosity: "low",
      service_tier: "flex",
      parallel_tool_calls: false,
      tools: [{ function: { name: "calculator" } }, { function: { strict: true } }],
    });
    expect(JSON.stringify(sent[0]?.body)).not.toContain("web_search");
    expect(warnings).toEqual([
      expect.stringContaining("Web search needs the Responses API"),
      expect.stringContaining("Image generation needs the Responses API"),
    ]);
    const older = chatOver(chat.text, { verbosity: "low" });
    expect(summary(await collect(older.model)).warnings).toEqual([expect.stringContaining("verbosity")]);
    expect(older.sent[0]?.body).not.toHaveProperty("verbosity");
  });

  it("warns of tools and images that a model cannot take", async () => {
    const { model, sent } = chatOver(chat.text, { model: "o1-mini" });
    const { warnings } = summary(
      await collect(model, modelRequest({ messages: exchange.slice(0, 2), tools: [calculator] })),
    );
    expect(warnings).toHaveLength(2);
    expect(sent[0]?.body).not.toHaveProperty("tools");
    expect(JSON.stringify(sent[0]?.body)).not.toContain("image_url");
  });

  it("sends no key of its own and reads none from the environment", async () => {
    const { model, sent } = chatOver(chat.text);
    await collect(model);
    expect([...(sent[0]?.headers.keys() ?? [])].toSorted()).toEqual(["accept", "content-type"]);
  });
});
