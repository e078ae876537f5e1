import type { ModelPrice } from "./chat-model.ts";

const perMillion = (input: number): ModelPrice => ({ input, output: 0 });

/**
 * List prices of embedding models in US dollars per million tokens, by provider and model name, as published at
 * developers.openai.com/api/docs/pricing and ai.google.dev/gemini-api/docs/pricing. The demo's cost nothing.
 */
export const embeddingPrices: Readonly<Record<string, Readonly<Record<string, ModelPrice>>>> = {
  demo: { "words-256": perMillion(0) },
  openai: {
    "text-embedding-3-small": perMillion(0.02),
    "text-embedding-3-large": perMillion(0.13),
    "text-embedding-ada-002": perMillion(0.1),
  },
  gemini: { "gemini-embedding-001": perMillion(0.15) },
};
