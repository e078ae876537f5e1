import type { JsonObject } from "../json.ts";
import { keywordShares } from "../knowledge/keyword-share.ts";
import { missingCollection, missingVector, wrongDimension } from "../knowledge/knowledge-errors.ts";
import type { KnowledgeCollection, KnowledgeHit, KnowledgeQuery, KnowledgeStore } from "../knowledge/knowledge.ts";
import { type Chunking, defaultChunking } from "../knowledge/source-document.ts";
import { documentWriter, type KeptChunk, type OpenCollection } from "./document-writer.ts";
import { fuseByReciprocalRank } from "../knowledge/reciprocal-rank.ts";
import { cosine } from "./vector-store.ts";

export interface KeptCollection extends Omit<KnowledgeCollection, "chunking"> {
  /** `defaultChunking` when absent. */
  chunking?: Chunking;
  chunks: readonly KeptChunk[];
}

/**
 * A `KnowledgeStore` over collections in memory, with the scores of the real one; it forgives no typing errors. Documents that are added
 * stay with the store.
 */
export function knowledgeStore(given: readonly KeptCollection[] = []): KnowledgeStore {
  const collections = given.map((collection): OpenCollection => ({
    ...collection,
    chunking: collection.chunking ?? defaultChunking,
    chunks: [...collection.chunks],
  }));
  const find = (id: string) => collections.find((collection) => collection.id === id) ?? null;
  return {
    ...documentWriter(collections),
    async collection(id, options) {
      options?.signal?.throwIfAborted();
      return find(id);
    },
    async search(query) {
      query.signal?.throwIfAborted();
      const found = find(query.collection);
      if (!found) throw missingCollection();
      return searchIn(found, query);
    },
  };
}

function searchIn(collection: OpenCollection, query: KnowledgeQuery): KnowledgeHit[] {
  const { filter = {}, mode, embedding, minScore = 0, limit } = query;
  if (mode === "semantic" && !embedding) throw missingVector();
  if (embedding && collection.dimension !== null && embedding.length !== collection.dimension) {
    throw wrongDimension(collection.dimension, embedding.length);
  }
  const chunks = collection.chunks.filter((chunk) => contains(chunk.metadata, filter));
  const shares = keywordShares(
    query.text,
    chunks.map((chunk) => `${chunk.metadata.heading} ${chunk.content}`),
  );
  const hits = chunks.map(({ chunkId, content, metadata, embedding: stored }, index): KnowledgeHit => {
    const share = shares[index] ?? 0;
    const keywordScore = mode === "semantic" || share === 0 ? null : (1 + share) / 2;
    const compared = mode !== "keyword" && embedding && stored ? (1 + cosine(stored, embedding)) / 2 : null;
    const score = Math.max(keywordScore ?? 0, compared ?? 0);
    return { chunkId, content, metadata, score, keywordScore, semanticScore: compared };
  });
  const order = (part: "semanticScore" | "keywordScore") =>
    hits.filter((hit) => hit[part] !== null).toSorted((a, b) => (b[part] ?? 0) - (a[part] ?? 0));
  return fuseByReciprocalRank([order("semanticScore"), order("keywordScore")])
    .filter((hit) => hit.score >= minScore)
    .slice(0, limit);
}

/** Postgres' `@>` for objects of plain values and objects. */
function contains(object: JsonObject, part: JsonObject): boolean {
  return Object.entries(part).every(([name, value]) => {
    const own = Object.hasOwn(object, name) ? object[name] : undefined;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return typeof own === "object" && own !== null && !Array.isArray(own) && contains(own, value);
    }
    return JSON.stringify(own) === JSON.stringify(value);
  });
}
