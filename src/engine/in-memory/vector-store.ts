import type { SessionKey, VectorStore } from "../host.ts";
import type { MemoryStore } from "./memory-store.ts";

export interface KeptVector {
  model: string;
  embedding: readonly number[];
}

/** A `VectorStore` in memory over the conversations of `messages`; compares every vector of a session. */
export function vectorStore(messages: MemoryStore, vectors: Map<number, KeptVector> = new Map()): VectorStore {
  return {
    async append(key, entries, model, write) {
      const before = messages.keptOf(key).length;
      const said = entries.map((entry) => entry.message);
      await messages.append(key, said, write);
      const added = messages.keptOf(key).slice(before);
      entries.forEach(({ embedding }, index) => {
        const kept = added[index];
        if (kept && embedding) vectors.set(kept.id, { model, embedding });
      });
    },
    search(key, { embedding, model, limit, before = Number.POSITIVE_INFINITY }) {
      const found = withVectors(key)
        .filter(({ stored, vector }) => stored.id < before && comparable(vector, model, embedding))
        .map(({ stored, vector }) => ({ stored, similarity: cosine(vector.embedding, embedding) }))
        .toSorted((a, b) => b.similarity - a.similarity)
        .slice(0, limit);
      return Promise.resolve(found.map(({ stored }) => stored).toSorted((a, b) => a.id - b.id));
    },
  };

  function withVectors(key: SessionKey) {
    return messages.keptOf(key).flatMap(({ id, message }) => {
      const vector = vectors.get(id);
      return vector ? [{ stored: { id, message }, vector }] : [];
    });
  }
}

function comparable(vector: KeptVector, model: string, embedding: readonly number[]): boolean {
  return vector.model === model && vector.embedding.length === embedding.length;
}

/** Cosine similarity, from -1 to 1; 0 where one of the vectors has no length. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  let product = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (let index = 0; index < a.length; index += 1) {
    const x = a[index] ?? 0;
    const y = b[index] ?? 0;
    product += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  return lengthA === 0 || lengthB === 0 ? 0 : product / Math.sqrt(lengthA * lengthB);
}
