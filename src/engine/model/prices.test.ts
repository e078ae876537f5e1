import { describe, expect, it } from "vitest";
import { costOf, priceOf } from "./prices.ts";
import { addCost, addUsage } from "./usage.ts";

const million = { inputTokens: 1_000_000, outputTokens: 1_000_000 };

describe("priceOf", () => {
  it("takes the longest name that fits", () => {
    expect(priceOf("openai", "gpt-4o")).toEqual({ input: 2.5, output: 10, cachedInput: 1.25 });
    expect(priceOf("openai", "gpt-4o-2024-08-06")).toEqual(priceOf("openai", "gpt-4o"));
    expect(priceOf("openai", "gpt-4o-2024-05-13")).toMatchObject({ input: 5, output: 15 });
    expect(priceOf("openai", "gpt-4o-mini-2024-07-18")).toEqual(priceOf("openai", "gpt-4o-mini"));
    expect(priceOf("anthropic", "claude-opus-5-5-20260922")).toMatchObject({ input: 4, output: 20 });
    expect(priceOf("gemini", "gemini-2.0-flash-001")).toEqual(priceOf("gemini", "gemini-2.0-flash"));
    expect(priceOf("openai", "text-embedding-3-small")).toEqual({ input: 0.02, output: 0 });
  });

  it("knows nothing of near names", () => {
    for (const name of ["gpt-4o-audio-preview", "gpt-4-32k", "gpt-4.55", "gpt", "constructor", ""])
      expect(priceOf("openai", name)).toBeNull();
    expect(priceOf("anthropic", "claude-sonnet-4-99")).toBeNull();
    expect(priceOf("someone", "gpt-4o")).toBeNull();
    expect(priceOf("__proto__", "gpt-4o")).toBeNull();
  });

  it("tells the servers apart at which a model is asked", () => {
    expect(priceOf("openrouter", "deepseek/deepseek-v4-pro")).not.toBeNull();
    expect(priceOf("deepseek", "deepseek-v4-pro")).not.toBeNull();
    expect(priceOf("ollama", "deepseek-v4-pro")).toBeNull();
    expect(priceOf("local", "nomic-embed-text")).toEqual({ input: 0, output: 0 });
    expect(priceOf("supabase", "gte-small")).toEqual({ input: 0, output: 0 });
  });
});

describe("costOf", () => {
  it("counts input, cached input and output", () => {
    const model = { provider: "openai", modelId: "gpt-4o" };
    expect(costOf(model, million)).toBe(12.5);
    expect(costOf(model, { ...million, cachedInputTokens: 1_000_000 })).toBe(11.25);
  });

  it("takes the price of long prompts where there is one", () => {
    const model = { provider: "gemini", modelId: "gemini-2.5-pro" };
    expect(costOf(model, { inputTokens: 200_000, outputTokens: 0 })).toBe(0.25);
    expect(costOf(model, { inputTokens: 400_000, outputTokens: 0 })).toBe(1);
  });

  it("prefers the model's own price", () => {
    expect(costOf({ provider: "openai", modelId: "gpt-4o", price: { input: 1, output: 1 } }, million)).toBe(2);
  });

  it("is null without a price or without usage, and 0 for a free model", () => {
    expect(costOf({ provider: "x", modelId: "y" }, million)).toBeNull();
    expect(costOf({ provider: "openai", modelId: "gpt-4o" }, undefined)).toBeNull();
    expect(costOf({ provider: "x", modelId: "y", price: { input: 0, output: 0 } }, undefined)).toBe(0);
  });
});

describe("sums", () => {
  it("keeps optional counts and unknown costs", () => {
    const a = { inputTokens: 1, outputTokens: 2 };
    expect(addUsage(a, { ...a, reasoningTokens: 5 })).toEqual({ inputTokens: 2, outputTokens: 4, reasoningTokens: 5 });
    expect(addCost(1, 2)).toBe(3);
    expect(addCost(1, null)).toBeNull();
  });
});
