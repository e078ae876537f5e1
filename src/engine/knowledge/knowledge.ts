import type { JsonObject } from "../json.ts";
import type { KnowledgeField } from "./filter/check-filter.ts";
import type { Condition } from "./filter/condition.ts";
import type { PostgresTable } from "./postgres-table.ts";
import type { Chunking } from "./chunking.ts";
import type { DocumentWriter } from "./stored-documents.ts";

/**
 * How a collection is searched. `semantic` compares vectors and finds what means the same; `keyword` compares words,
 * forgives typing errors and needs no key; `hybrid` does both and fuses the two orders.
 */
export const knowledgeModes = ["hybrid", "semantic", "keyword"] as const;

/** One of `knowledgeModes`. */
export type KnowledgeMode = (typeof knowledgeModes)[number];

/** Who makes the vectors of a collection. */
export interface KnowledgeEmbedding {
  /** Id of a provider with embeddings, such as `openai`. */
  provider: string;
  model: string;
  /** Id of the stored credential; empty where the provider needs none. */
  credential: string;
}

/** A collection as a search needs it. */
export interface KnowledgeCollection {
  id: string;
  name: string;
  /** Null: the collection has no vectors and is searched by keyword. */
  embedding: KnowledgeEmbedding | null;
  /** Numbers per vector; null until the first vector is stored. */
  dimension: number | null;
  chunking: Chunking;
  /** How steps and tools search that follow the collection; absent or null: hybrid, or keyword without vectors. */
  searchMode?: KnowledgeMode | null;
  /** Its passages are the rows of this table, which is only read; absent where it holds documents. */
  table?: PostgresTable;
}

/** What is looked for in a collection. */
export interface KnowledgeQuery {
  /** Id of the collection. */
  collection: string;
  text: string;
  /** The vector of `text`, made by the collection's model. Without it `hybrid` is `keyword`. */
  embedding?: readonly number[];
  mode: KnowledgeMode;
  limit: number;
  /** Leaves out hits whose `score` is below it; 0 to 1. */
  minScore?: number;
  /** Only chunks for which this holds, by what is noted with them and with their documents. */
  filter?: Condition;
  signal?: AbortSignal;
}

/**
 * Where a chunk comes from. Besides these, what its reader noted (`page`, `row`), the metadata of its document, and `untrusted`: who
 * wrote it, where strangers may have.
 */
export interface KnowledgeMetadata extends JsonObject {
  documentId: string;
  /** The document's name. */
  document: string;
  /** Headings above the chunk, joined by " › "; empty where there are none. */
  heading: string;
  /** The chunk's place in its document, from 0. */
  position: number;
}

/**
 * A chunk that was found. All scores are on one scale from 0 to 1, where 0.5 is "nothing in common" and 1 "the same":
 * - `semanticScore` = (1 + cosine similarity) ÷ 2, so 0.7 is a cosine of 0.4;
 * - `keywordScore` = (1 + cosine) ÷ 2, where the cosine is that between the query's words, rare ones weighing more, and
 *   those of them that the chunk has, a word found only by its likeness counting in proportion; so 0.7 is about one
 *   telling word of six;
 * - `score` is the better of the two, and what `minScore` compares.
 * Hits of a hybrid search are ordered by reciprocal rank fusion, so their scores need not fall evenly.
 */
export interface KnowledgeHit {
  chunkId: string;
  content: string;
  /** The text of the chunk's parent, which a model gets in its place; absent where it gets the chunk itself. */
  parentText?: string;
  score: number;
  /** Null where this half did not find the chunk or was not asked. */
  semanticScore: number | null;
  keywordScore: number | null;
  metadata: KnowledgeMetadata;
}

/** The owner's collections, to search in and to bring documents into. Rejects with a RunError, or with the signal's reason. */
export interface KnowledgeStore extends DocumentWriter {
  /** Null when there is none with this id (any more). */
  collection(id: string, options?: { signal?: AbortSignal }): Promise<KnowledgeCollection | null>;
  /** What the documents of a collection can be filtered by, by name; null where it has no documents. */
  fields(collectionId: string, options?: { signal?: AbortSignal }): Promise<KnowledgeField[] | null>;
  /**
   * Best first; none is an empty list. Of the chunks of one parent only the best. Rejects with `invalid_config` for a collection that does not exist, for a
   * semantic search without vector and for a vector of another length than the collection's; with `tool_error` otherwise.
   */
  search(query: KnowledgeQuery): Promise<KnowledgeHit[]>;
}
