import type { EmbeddingProviderDefinition } from "../../engine/model/provider.ts";
import { isFreeEmbedding } from "../../engine/model/free-embeddings.ts";
import { costOf } from "../../engine/model/prices.ts";

/** US dollars for embedding that many tokens at list price; null where the price is not known. */
export function embeddingCost(embedding: { provider: string; model: string }, tokens: number): number | null {
  const usage = { inputTokens: tokens, outputTokens: 0 };
  return costOf({ provider: embedding.provider, modelId: embedding.model }, usage);
}

/** Whether nobody charges for the vectors of a provider, so that no price need be shown or accepted. */
export function costsNothing({
  id,
  credentialTypes,
}: Pick<EmbeddingProviderDefinition, "id" | "credentialTypes">): boolean {
  return credentialTypes.length === 0 || isFreeEmbedding(id);
}
