import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import type { EmbeddingUse } from "../../engine/model/embedding-use.ts";
import { estimateTokens } from "../../engine/model/estimate-tokens.ts";
import type { EmbeddingProvider, ProviderContext } from "../../engine/model/provider.ts";
import { embeddingCost } from "./embedding-cost.ts";

/** What the request is: texts, the collection's or memory's model with its credential, and what it is made with. */
interface CountedRequest extends Pick<ProviderContext, "host" | "nodeId"> {
  embedding: KnowledgeEmbedding;
  texts: readonly string[];
  signal: AbortSignal;
}

/** One vector per text, in order, and what they took. */
export interface Embedded {
  vectors: number[][];
  use: EmbeddingUse;
}

/** One vector per text, in one request, and what it took. Rejects with a RunError, as `embed` does. */
export async function embedCounted(
  embeddings: EmbeddingProvider,
  { embedding, texts, signal, host, nodeId }: CountedRequest,
): Promise<Embedded> {
  const { provider, model, credential } = embedding;
  const startedAt = host.now();
  let counted: number | undefined;
  const onTokens = (count: number) => {
    counted = count;
  };
  const vectors = await embeddings.embed({ model, texts, signal, onTokens }, { host, credential, nodeId });
  const inputTokens = counted ?? texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  const use: EmbeddingUse = {
    provider,
    model,
    texts: texts.length,
    usage: { inputTokens, outputTokens: 0 },
    estimated: counted === undefined,
    costUsd: embeddingCost(embedding, inputTokens),
    durationMs: host.now() - startedAt,
  };
  return { vectors, use };
}
