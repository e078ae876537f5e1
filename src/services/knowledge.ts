import type { Json, JsonObject } from "../engine/json.ts";
import type { KnowledgeEmbedding, KnowledgeHit, KnowledgeMode, KnowledgeQuery } from "../engine/knowledge/knowledge.ts";
import type { PostgresTable } from "../engine/knowledge/postgres-table.ts";
import type { MetadataChange } from "../engine/knowledge/document-metadata.ts";
import type { KnowledgeField } from "../engine/knowledge/filter/check-filter.ts";
import type { SearchLanguage } from "../engine/knowledge/search-languages.ts";
import type { CountedPage, PageRequest } from "./pages.ts";
import type { Chunking } from "../engine/knowledge/chunking.ts";
import type {
  DocumentContent,
  DocumentKind,
  DocumentSection,
  SourceDocument,
} from "../engine/knowledge/source-document.ts";
import type { DocumentWriter, KnownDocument, ParentPlace } from "../engine/knowledge/stored-documents.ts";

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
  /** How steps and tools search that follow the collection; null: by what it has. */
  searchMode: KnowledgeMode | null;
  /** Its passages are the rows of this table, which is only read; absent where it holds documents. */
  table?: PostgresTable;
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
  searchMode?: KnowledgeMode | null;
  chunking?: Chunking;
  /** A collection that has one when it is made holds no documents ever. */
  table?: PostgresTable;
}

export interface DocumentSummary extends KnownDocument {
  collectionId: string;
  kind: DocumentKind;
  /** A URL, or empty. */
  source: string;
  /** Bytes of what was read. */
  size: number;
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
  /** A worker is to read the file that came for it. */
  waits: boolean;
  createdAt: string;
  updatedAt: string;
}

/** What an ingest of a stored document works on. */
export interface OpenIngest extends DocumentContent {
  ingest: string;
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
  parent?: ParentPlace;
}

/** Collections, their documents and chunks. Every method rejects with a ServiceError. */
export interface KnowledgeRepository extends DocumentWriter {
  /** By name. */
  collectionPage(request: PageRequest): Promise<CountedPage<CollectionSummary>>;
  /** Those with these ids, or all whose name has these words; of a long list page after page is read. */
  collections(wanted?: { ids?: readonly string[]; search?: string }): Promise<CollectionSummary[]>;
  collection(id: string): Promise<CollectionSummary>;
  create(draft: CollectionDraft): Promise<CollectionSummary>;
  /** Name, description, language, search mode, table and chunking; a new chunking holds for what is read from then on and for re-chunking. */
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
  /** Adds metadata to the documents whose names have these words, all of them without words; how many there were. */
  describeDocuments(collectionId: string, search: string, metadata: MetadataChange): Promise<number>;
  /** Indexes a few chunks of documents whose language changed; whether there are more. */
  reindex(): Promise<boolean>;
  restoreDocument(id: string): Promise<void>;

  /** What was read of a document. */
  sections(documentId: string): Promise<readonly DocumentSection[]>;
  /** Id of the file whose pages can be shown; null where none is kept. */
  original(documentId: string): Promise<string | null>;
  setOriginal(documentId: string, fileId: string): Promise<void>;
  /** Chunks of a document in order, from position `from`, at most `limit` of them. */
  chunks(documentId: string, page: { from: number; limit: number }): Promise<ChunkEntry[]>;
  /** A chunk, its document, and up to `reach` chunks before and after it, in order. */
  around(chunkId: string, reach: number): Promise<{ document: DocumentSummary; chunks: ChunkEntry[] }>;
  /** What its documents can be filtered by, by name; null where there are none. */
  fields(collectionId: string, options?: { signal?: AbortSignal }): Promise<KnowledgeField[] | null>;
  /** As `Host.knowledge.search`; `src/providers/embeddings/embed-query.ts` makes the vector. */
  search(query: KnowledgeQuery): Promise<KnowledgeHit[]>;
  /** The collection with documents and chunks, without vectors and credential; `npm run workflow` reads it. */
  exportCollection(id: string): Promise<Json>;

  findDocuments(collectionId: string, match: { name: string; hash: string }): Promise<DocumentSummary[]>;
  /** Those whose ingest was interrupted, oldest first; of all collections when none is named. */
  pendingDocuments(collectionId?: string): Promise<DocumentSummary[]>;
  /** Makes all documents of a collection `pending`, so that an interrupted re-chunking goes on. */
  markPending(collectionId: string): Promise<void>;
  /** Begins another ingest of a stored document, from what was read of it. */
  beginIngest(documentId: string): Promise<OpenIngest>;
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
