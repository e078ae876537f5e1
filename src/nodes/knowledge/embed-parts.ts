import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import type { EmbeddingUse } from "../../engine/model/embedding-use.ts";
import { RunError } from "../../engine/errors.ts";
import { type EmbedOptions, embedBatch } from "../../providers/embeddings/embed-batch.ts";

/** Some of the items with their vectors, and what that took; or one that is too long for the model, with its reason. */
export type EmbeddedPart<Item> =
  | { type: "embedded"; items: readonly Item[]; vectors: readonly number[][]; use: EmbeddingUse }
  | { type: "too-long"; item: Item; reason: string };

/**
 * Embeds a batch, in one request where the vendor takes it. What it refuses as a whole (too long, too many at once, half
 * an answer) is sent in halves, so that one text loses no other. Rejects with a RunError when not even one text passes,
 * or with the signal's reason.
 */
export async function* embedParts<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
  embedding: KnowledgeEmbedding,
  options: EmbedOptions,
): AsyncGenerator<EmbeddedPart<Item>> {
  const [first, ...others] = items;
  if (first === undefined) return;
  try {
    const { vectors, use } = await embedBatch(items.map(textOf), embedding, options);
    yield { type: "embedded", items, vectors, use };
    return;
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof RunError)) throw error;
    const { code, retryable, message } = error.data;
    if (others.length === 0 && code === "context_length") {
      yield { type: "too-long", item: first, reason: message };
      return;
    }
    const isRefusal = code === "context_length" || (code === "model_error" && !retryable);
    if (others.length === 0 || !isRefusal) throw error;
  }
  const middle = items.length >> 1;
  yield* embedParts(items.slice(0, middle), textOf, embedding, options);
  yield* embedParts(items.slice(middle), textOf, embedding, options);
}
