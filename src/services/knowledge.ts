import type { Json, JsonObject } from "../engine/json.ts";
import type { KnowledgeEmbedding, KnowledgeHit, KnowledgeQuery } from "../engine/knowledge/knowledge.ts";
import type { SearchLanguage } from "../engine/knowledge/search-languages.ts";
import type { CountedPage, PageRequest } from "./pages.ts";
import type { Chunking, DocumentKind, DocumentSection, SourceDocument } from "../engine/knowledge/source-document.ts";

export interface CollectionSummary {
  id: string;
  name: string;
  description: string;
  /** Null: searched by keyword only. */
  embedding: KnowledgeEmbedding | null;
  /** Numbers per vector; null until the first one is stored. */
  dimension: number | null;
  chunking: Chunking;
  /** Of all its documents for which none was chosen; null: guessed for each. */
  language: SearchLanguage | null;
  documents: number;
  chunks: number;
  /** ISO 8601. */
  createdAt: string;
  updatedAt: string;
}

/** What a person sets of a collection. */
export interface CollectionDraft {
  name: string;
  description?: string;
  embedding?: KnowledgeEmbedding | null;
  language?: SearchLanguage | null;
  chunking?: Chunking;
}

/** `pending`: read, but not all of its chunks are stored yet; resuming its ingest stores the rest. */
export const documentStatuses = ["pending", "ready", "failed"] as const;
type DocumentStatus = (typeof documentStatuses)[number];

export interface DocumentSummary {
  id: string;
  collectionId: string;
  name: string;
  kind: DocumentKind;
  /** A URL, or empty. */
  source: string;
  /** SHA-256 of its text and structure, as hex. */
  hash: string;
  /** Bytes of what was read. */
  size: number;
  status: DocumentStatus;
  /** Why it is `failed`, and what to do. */
  error: { message: string; hint: string } | null;
  chunks: number;
  /** Estimated tokens of its chunks. */
  tokens: number;
  /** Of all its embedding requests, in US dollars; null where the price is not known. */
  costUsd: number | null;
  /** Whose stems keyword search compares; null until it is known. */
  language: SearchLanguage | null;
  /** A person chose it. */
  languageChosen: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface ChunkEntry {
  id: string;
  documentId: string;
  /** From 0. */
  position: number;
  heading: string;
  content: string;
  tokens: number;
  /** Whether it has a vector. */
  embedded: boolean;
  metadata: JsonObject;
}

/** A chunk as its document's ingest compares it with what it would store. */
export interface StoredChunk {
  id: string;
  hash: string;
  position: number;
  embedded: boolean;
}

export interface NewChunk {
  /** A stored chunk that only gets its vector; absent for a new one. */
  id?: string;
  position: number;
  heading: string;
  content: string;
  hash: string;
  tokens: number;
  metadata: JsonObject;
  embedding: readonly number[] | null;
}

/** How an ingest ended. */
export type DocumentEnd = { status: "ready" } | { status: "failed"; error: { message: string; hint: string } };

/** Collections, their documents and chunks. Every method rejects with a ServiceError. */
export interface KnowledgeRepository {
  /** By name. */
  collectionPage(request: PageRequest): Promise<CountedPage<CollectionSummary>>;
  /** Those with these ids, or all whose name has these words; of a long list page after page is read. */
  collections(wanted?: { ids?: readonly string[]; search?: string }): Promise<CollectionSummary[]>;
  collection(id: string): Promise<CollectionSummary>;
  create(draft: CollectionDraft): Promise<CollectionSummary>;
  /** Name, description, language and chunking; a new chunking holds for what is read from then on and for re-chunking. */
  update(id: string, change: Partial<Omit<CollectionDraft, "embedding">>): Promise<CollectionSummary>;
  /**
   * Who makes its vectors. Another provider or model drops all vectors and makes its documents `pending`; only another
   * credential keeps them.
   */
  setEmbedding(id: string, embedding: KnowledgeEmbedding | null): Promise<CollectionSummary>;
  /** Out of sight and search at once; `restore` undoes it within the hour. */
  remove(id: string): Promise<void>;
  restore(id: string): Promise<void>;

  /** The latest first. */
  documentPage(collectionId: string, request: PageRequest): Promise<CountedPage<DocumentSummary>>;
  document(id: string): Promise<DocumentSummary>;
  /** All, the latest first; of a long list page after page is read. */
  documents(collectionId: string): Promise<DocumentSummary[]>;
  /** Null: that of the collection, or a guess. `reindex` makes it hold for what is stored. */
  setDocumentLanguage(id: string, language: SearchLanguage | null): Promise<void>;
  /** Indexes a few chunks of documents whose language changed; whether there are more. */
  reindex(): Promise<boolean>;
  removeDocument(id: string): Promise<void>;
  restoreDocument(id: string): Promise<void>;

  /** Chunks of a document in order, from position `from`, at most `limit` of them. */
  chunks(documentId: string, page: { from: number; limit: number }): Promise<ChunkEntry[]>;
  /** A chunk, its document, and up to `reach` chunks before and after it, in order. */
  around(chunkId: string, reach: number): Promise<{ document: DocumentSummary; chunks: ChunkEntry[] }>;
  /** As `Host.knowledge.search`; `src/providers/embeddings/embed-query.ts` makes the vector. */
  search(query: KnowledgeQuery): Promise<KnowledgeHit[]>;
  /** The collection with documents and chunks, without vectors and credential; `npm run workflow` reads it. */
  exportCollection(id: string): Promise<Json>;

  /** What the collection has under this name or with this content. */
  findDocuments(collectionId: string, match: { name: string; hash: string }): Promise<DocumentSummary[]>;
  /**
   * Stores what was read, as `pending`: as a new document, of this `id` if one is given, or over the document `replaces`,
   * whose chunks stay until they are arranged. Gives the document's id.
   */
  putDocument(
    collectionId: string,
    document: SourceDocument,
    options: { hash: string; id?: string; replaces?: string },
  ): Promise<string>;
  /** Those whose ingest was interrupted, oldest first; of all collections when none is named. */
  pendingDocuments(collectionId?: string): Promise<DocumentSummary[]>;
  /** Makes all documents of a collection `pending`, so that an interrupted re-chunking goes on. */
  markPending(collectionId: string): Promise<void>;
  sections(documentId: string): Promise<DocumentSection[]>;
  storedChunks(documentId: string): Promise<StoredChunk[]>;
  /** Deletes chunks and moves others to their new places: all or none. */
  arrangeChunks(
    documentId: string,
    change: { remove: readonly string[]; move: readonly { id: string; position: number; metadata: JsonObject }[] },
  ): Promise<void>;
  /** All or none. Rejects with `invalid` when vectors have another length than the collection's, or another model. */
  addChunks(documentId: string, chunks: readonly NewChunk[], model: string | null): Promise<void>;
  /** Adds what a part of an ingest cost, as soon as it is spent; the document stays, or becomes again, `pending`. */
  recordCost(documentId: string, costUsd: number | null): Promise<void>;
  /** Closes an ingest: counts chunks and tokens, adds what it cost besides what is recorded. */
  finishDocument(documentId: string, end: DocumentEnd & { costUsd: number | null }): Promise<void>;
}

/** Something to read into a collection. */
export type IngestSource =
  | { type: "paste"; name: string; text: string }
  | { type: "file"; name: string; blob: Blob }
  | { type: "url"; url: string };

/** Turns sources into documents. Rejects with a ServiceError that says what to do, or with the signal's reason. */
export interface SourceReader {
  read(source: IngestSource, signal: AbortSignal): Promise<SourceDocument>;
}

/** A source that waits to be read, kept in this browser so that a reload loses none. */
export interface PendingSource {
  id: string;
  /** Id of the account that added it; nobody else gets to see it. */
  owner: string;
  collectionId: string;
  source: IngestSource;
}

/** Falls back to the page's memory where the browser stores nothing. Never rejects. */
export interface PendingSources {
  put(pending: PendingSource): Promise<void>;
  /** In the order in which they were put. */
  list(owner: string): Promise<PendingSource[]>;
  remove(id: string): Promise<void>;
}

export interface KnowledgeSources {
  reader: SourceReader;
  pending: PendingSources;
}
