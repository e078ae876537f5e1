import { describe, expect, it } from "vitest";
import { userMessage } from "../model/message.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { bookableCall, cutCallUsd, outputLimitOf } from "./call-cost.ts";
import { maxInputTokens } from "./input-tokens.ts";

const request = (text: string) => ({
  messages: [userMessage(text)],
  tools: [],
  responseFormat: { type: "text" as const },
});
const modelOf = (provider: string, modelId: string) => scriptedModel([], { provider, modelId });

describe("S92 what a call may cost", () => {
  it("counts at least a token for each byte of the input, in any script", () => {
    for (const text of ["plain words", "日本語のテキスト", "🦜🦜🦜", "0123456789".repeat(50), "\u0000\ud800"]) {
      const bytes = new TextEncoder().encode(text).length;
      expect(maxInputTokens(request(text), modelOf("openai", "gpt-4o"))).toBeGreaterThanOrEqual(bytes);
    }
  });

  it("counts tools, schemas, pictures, files and what a vendor wants back", () => {
    const model = modelOf("openai", "gpt-4o");
    const bare = maxInputTokens(request(""), model);
    const tool = { name: "look", description: "Looks.".repeat(50), parameters: { type: "object" } };
    expect(maxInputTokens({ ...request(""), tools: [tool] }, model)).toBeGreaterThan(bare + 300);
    const schema = { type: "object", description: "x".repeat(500) };
    expect(maxInputTokens({ ...request(""), responseFormat: { type: "json", schema } }, model)).toBeGreaterThan(
      bare + 500,
    );
    const url = `data:application/pdf;base64,${"A".repeat(200_000)}`;
    const parts = (part: object) => ({ ...request(""), messages: [{ role: "user" as const, parts: [part as never] }] });
    expect(maxInputTokens(parts({ type: "file", url }), model)).toBeGreaterThanOrEqual(200_000);
    expect(maxInputTokens(parts({ type: "file", url: "https://a.test/short.pdf" }), model)).toBeGreaterThanOrEqual(
      100_000,
    );
    expect(maxInputTokens(parts({ type: "image", url }), model)).toBeGreaterThanOrEqual(1_600);
    // A picture costs this model more than thirty times as much as others.
    expect(maxInputTokens(parts({ type: "image", url }), modelOf("openai", "gpt-4o-mini"))).toBeGreaterThan(48_000);
    const thought = { type: "reasoning", text: "", vendor: { encrypted_content: "x".repeat(900) } };
    const spoken = { ...request(""), messages: [{ role: "assistant" as const, parts: [thought as never] }] };
    expect(maxInputTokens(spoken, model)).toBeGreaterThan(900);
  });

  it("goes on from what the vendor has counted, with what is new", () => {
    const model = modelOf("openai", "gpt-4o");
    const long = userMessage("word ".repeat(1_000));
    const measured = { messages: [long], tools: [], tokens: 1_010 };
    const next = { ...request(""), messages: [long, userMessage("x".repeat(100))] };
    expect(maxInputTokens(next, model, measured)).toBe(1_134);
    // Not where something before it is another message, or the tools are others.
    expect(
      maxInputTokens({ ...next, messages: [userMessage("word ".repeat(1_000))] }, model, measured),
    ).toBeGreaterThan(5_000);
    const tools = [{ name: "a", description: "", parameters: {} }];
    expect(maxInputTokens({ ...next, tools }, model, measured)).toBeGreaterThan(5_000);
  });

  it("books the model's output limit, or the lesser that is left, and says how long the answer may be", () => {
    const call = bookableCall(modelOf("openai", "gpt-4o"), request("Hi"));
    if (!call) throw new Error("It has a price.");
    expect(call.cost.maxUsd).toBeCloseTo(call.inputUsd + (16_384 * 10) / 1_000_000);
    expect(call.outputTokensFor(call.cost.maxUsd)).toBe(16_384);
    expect(call.outputTokensFor(call.inputUsd + 0.005)).toBe(500);
    expect(call.cost.minUsd).toBeLessThan(call.inputUsd + 0.001);
  });

  it("books what the node's own limit says, and nothing less", () => {
    const model = { ...modelOf("openai", "gpt-4o"), answerTokens: { set: 1_000 } };
    const call = bookableCall(model, request("Hi"));
    expect(call?.cost.minUsd).toBe(call?.cost.maxUsd);
    expect(call?.outputTokensFor(1)).toBeUndefined();
  });

  it("takes a low limit where a model's is not known, and none of its price where that is not", () => {
    expect(outputLimitOf("openai-compatible", "my-model")).toBe(4_096);
    expect(outputLimitOf("openai", "gpt-4o-mini-2024-07-18")).toBe(16_384);
    expect(bookableCall(modelOf("openai-compatible", "my-model"), request("Hi"))).toBeNull();
    expect(bookableCall(modelOf("openai-compatible", "gpt-4o"), request("Hi"))).toBeNull();
  });

  it("counts a cut answer with its input and what can have been written, up to what was booked", () => {
    const amount = { usd: 1, inputUsd: 0.1, outputTokenUsd: 0.0001 };
    expect(cutCallUsd(amount, 0)).toBe(0.1);
    expect(cutCallUsd(amount, 2_000)).toBeCloseTo(0.3);
    expect(cutCallUsd(amount, 600_000)).toBe(1);
  });
});
