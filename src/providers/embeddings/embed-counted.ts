import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import type { EmbeddingUse } from "../../engine/model/embedding-use.ts";
import { estimateTokens } from "../../engine/model/estimate-tokens.ts";
import type { EmbeddingProvider, ProviderContext } from "../../engine/model/provider.ts";
import { costOf, priceOf } from "../../engine/model/prices.ts";
import { RunError } from "../../engine/errors.ts";
import { bookEmbedding } from "../../engine/spending/book-call.ts";
import type { SpendingLimit } from "../../engine/spending/spending-limit.ts";

/** What the request is: texts, the collection's or memory's model with its credential, and what it is made with. */
interface CountedRequest extends Pick<ProviderContext, "host" | "nodeId"> {
  embedding: KnowledgeEmbedding;
  texts: readonly string[];
  signal: AbortSignal;
  /** The budgets of the agents that it is for, besides the host's limit. */
  spending?: readonly SpendingLimit[];
  /** US dollars per million tokens, where the node says so; otherwise the price list applies. */
  price?: number | null;
}

/** One vector per text, in order, and what they took. */
export interface Embedded {
  vectors: number[][];
  use: EmbeddingUse;
}

/**
 * One vector per text, in one request, and what it took. Rejects with a RunError, as `embed` does, and with code `budget` where a
 * spending limit has no room for it.
 */
export async function embedCounted(
  embeddings: EmbeddingProvider,
  { embedding, texts, signal, host, nodeId, spending = [], price: own = null }: CountedRequest,
): Promise<Embedded> {
  const { provider, model, credential } = embedding;
  const price = own === null ? priceOf(provider, model) : { input: own, output: 0 };
  const where = nodeId === "" ? undefined : nodeId;
  const booking = await bookEmbedding({ name: model, price }, texts, { host, spending, nodeId: where, signal });
  if (!booking.ok) throw new RunError(booking.error);
  const startedAt = host.now();
  let counted: number | undefined;
  const onTokens = (count: number) => {
    counted = count;
  };
  const request = { model, texts, signal, onTokens };
  const vectors = await embeddings.embed(request, { host, credential, nodeId }).catch((error: unknown) => {
    // A request that was refused costs nothing; one that was stopped may have been answered already.
    booking.settle(signal.aborted ? null : 0);
    throw error;
  });
  const inputTokens = counted ?? texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  const usage = { inputTokens, outputTokens: 0 };
  const costUsd = costOf({ provider, modelId: model, ...(price ? { price } : {}) }, usage);
  // A vendor that does not count may have counted more than is estimated here.
  booking.settle(counted === undefined ? null : costUsd);
  const use: EmbeddingUse = {
    provider,
    model,
    texts: texts.length,
    usage,
    estimated: counted === undefined,
    costUsd,
    durationMs: host.now() - startedAt,
  };
  return { vectors, use };
}
