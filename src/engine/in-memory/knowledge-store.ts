import { metadataJson } from "../knowledge/document-metadata.ts";
import type { FieldType, KnowledgeField } from "../knowledge/filter/check-filter.ts";
import { holds } from "../knowledge/filter/condition.ts";
import { keywordShares } from "../knowledge/keyword-share.ts";
import { missingCollection, missingVector, wrongDimension } from "../knowledge/knowledge-errors.ts";
import type { KnowledgeCollection, KnowledgeHit, KnowledgeQuery, KnowledgeStore } from "../knowledge/knowledge.ts";
import { type Chunking, defaultChunking } from "../knowledge/chunking.ts";
import { documentWriter, type KeptChunk, type OpenCollection, type OpenDocument } from "./document-writer.ts";
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
  const documents = new Map<string, OpenDocument>();
  const metadataOf = (id: string) => metadataJson(documents.get(id)?.metadata ?? {});
  const find = (id: string) => collections.find((collection) => collection.id === id) ?? null;
  return {
    ...documentWriter(collections, documents),
    async collection(id, options) {
      options?.signal?.throwIfAborted();
      return find(id);
    },
    async fields(id, options) {
      options?.signal?.throwIfAborted();
      const own = [...documents.values()].filter(({ collection }) => collection.id === id);
      return own.length === 0 ? null : fieldsOf(own);
    },
    async search(query) {
      query.signal?.throwIfAborted();
      const found = find(query.collection);
      if (!found) throw missingCollection();
      const chunks = found.chunks.map((chunk) => ({
        ...chunk,
        metadata: { ...metadataOf(chunk.metadata.documentId), ...chunk.metadata },
      }));
      return searchIn({ ...found, chunks }, query);
    },
  };
}

function searchIn(collection: OpenCollection, query: KnowledgeQuery): KnowledgeHit[] {
  const { filter, mode, embedding, minScore = 0, limit } = query;
  if (mode === "semantic" && !embedding) throw missingVector();
  if (embedding && collection.dimension !== null && embedding.length !== collection.dimension) {
    throw wrongDimension(collection.dimension, embedding.length);
  }
  const chunks = collection.chunks.filter((chunk) => !filter || holds(filter, chunk.metadata));
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
  const found = fuseByReciprocalRank([order("semanticScore"), order("keywordScore")]).filter(
    (hit) => hit.score >= minScore,
  );
  return givenOnce(found, collection.chunks, limit);
}

/** Of the chunks of one parent the best, with the parent's text. */
function givenOnce(hits: readonly KnowledgeHit[], chunks: readonly KeptChunk[], limit: number): KnowledgeHit[] {
  const parents = new Map(chunks.map((chunk) => [chunk.chunkId, parentOf(chunk)]));
  const children = new Map<string | null, KeptChunk[]>();
  for (const chunk of chunks) {
    const siblings = children.get(parentOf(chunk));
    if (siblings) siblings.push(chunk);
    else children.set(parentOf(chunk), [chunk]);
  }
  const seen = new Set<string>();
  const given: KnowledgeHit[] = [];
  for (const hit of hits) {
    if (given.length >= limit) break;
    const parent = parents.get(hit.chunkId) ?? null;
    if (parent === null) given.push(hit);
    if (parent === null || seen.has(parent)) continue;
    seen.add(parent);
    const siblings = (children.get(parent) ?? []).toSorted((a, b) => a.metadata.position - b.metadata.position);
    const parentText = siblings.map((chunk) => (chunk.parent?.lead ?? "") + chunk.content).join("");
    given.push({ ...hit, parentText });
  }
  return given;
}

/** Which parent a chunk has, among all documents. */
function parentOf(chunk: KeptChunk): string | null {
  return chunk.parent ? `${chunk.parent.first} ${chunk.metadata.documentId}` : null;
}

function fieldsOf(documents: readonly OpenDocument[]): KnowledgeField[] {
  const values = new Map<string, Set<string | number | boolean>>();
  for (const [name, value] of documents.flatMap(({ metadata }) => Object.entries(metadata))) {
    const known = values.get(name) ?? new Set();
    for (const one of [value].flat()) known.add(one);
    values.set(name, known);
  }
  const typeOf = (value: string | number | boolean): FieldType =>
    typeof value === "string" ? "text" : typeof value === "number" ? "number" : "boolean";
  return [...values]
    .map(([name, known]) => ({ name, types: [...new Set([...known].map(typeOf))], examples: [...known].slice(0, 5) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
