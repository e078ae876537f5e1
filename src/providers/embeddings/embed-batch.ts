import { retryDelay } from "../../engine/time/backoff.ts";
import type { Host } from "../../engine/host.ts";
import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import { estimateTokens } from "../../engine/model/estimate-tokens.ts";
import { RunError, type RunErrorData } from "../../engine/errors.ts";
import { type Embedded, embedCounted } from "./embed-counted.ts";
import { embeddingProviderOf } from "./embedding-providers.ts";

/** Texts per request: what the strictest vendor takes (Gemini, 100), and little enough for vectors to come as one answer. */
const mostTexts = 64;
/** Estimated tokens per request: a fifth of what OpenAI takes, since the estimate may be half of the truth. */
const mostTokens = 60_000;
const attempts = 5;

export interface EmbedOptions {
  host: Host;
  signal: AbortSignal;
  /** The node that it is for, in a run. */
  nodeId?: string;
  /** US dollars per million tokens; the price list where absent. */
  price?: number | null;
  /** A request failed and is made again after `delayMs`. */
  onRetry?(delayMs: number, error: RunErrorData): void;
}

/** Groups things for one request each by the texts that stand for them, in order. */
export function batchesOf<Item>(items: readonly Item[], textOf: (item: Item) => string): Item[][] {
  const batches: Item[][] = [];
  let tokens = 0;
  for (const item of items) {
    const own = estimateTokens(textOf(item));
    const open = batches.at(-1);
    if (open && open.length < mostTexts && tokens + own <= mostTokens) {
      open.push(item);
      tokens += own;
    } else {
      batches.push([item]);
      tokens = own;
    }
  }
  return batches;
}

/**
 * One vector per text from the provider of a collection, in one request, and what it took. What can pass (429, 5xx, a broken connection)
 * is tried up to five times, as long after as the vendor asks. Rejects with a RunError, or with the signal's reason.
 */
export async function embedBatch(
  texts: readonly string[],
  embedding: KnowledgeEmbedding,
  { host, signal, nodeId = "", price = null, onRetry }: EmbedOptions,
): Promise<Embedded> {
  const embeddings = embeddingProviderOf(embedding.provider)?.embeddings;
  if (!embeddings) {
    throw new RunError({
      code: "invalid_config",
      message: `The provider "${embedding.provider}" has no embeddings.`,
      hint: "Choose another one in the collection's settings.",
    });
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await embedCounted(embeddings, { embedding, texts, signal, host, nodeId, price });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RunError) || !error.data.retryable || attempt === attempts) throw error;
      const delay = retryDelay(host, attempt, error.data);
      onRetry?.(delay, error.data);
      await host.sleep(delay, signal);
    }
  }
}
