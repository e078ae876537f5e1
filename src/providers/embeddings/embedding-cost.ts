import { costOf } from "../../engine/model/prices.ts";

/** US dollars for embedding that many tokens at list price; null where the price is not known. */
export function embeddingCost(embedding: { provider: string; model: string }, tokens: number): number | null {
  const usage = { inputTokens: tokens, outputTokens: 0 };
  return costOf({ provider: embedding.provider, modelId: embedding.model }, usage);
}
