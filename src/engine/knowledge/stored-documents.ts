import type { JsonObject } from "../json.ts";
import type { DocumentMetadata } from "./document-metadata.ts";
import type { SourceDocument } from "./source-document.ts";

/** `pending`: read, but not all of its chunks are stored yet; resuming its ingest stores the rest. */
export const documentStatuses = ["pending", "ready", "failed"] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

/** What a collection has, as far as it decides whether a document has to be stored. */
export interface KnownDocument {
  id: string;
  name: string;
  /** SHA-256 of its text and structure, as hex. */
  hash: string;
  status: DocumentStatus;
  metadata: DocumentMetadata;
}

/** Where a chunk stands in its parent: the section that a search gives in its place. */
export interface ParentPlace {
  /** The position of the parent's first chunk. */
  first: number;
  /** What stands in the parent before the chunk: white space and headings. */
  lead: string;
}

/** A chunk as its document's ingest compares it with what it would store. */
export interface StoredChunk {
  id: string;
  hash: string;
  position: number;
  embedded: boolean;
  metadata: JsonObject;
  /** Absent where a search gives the chunk itself. */
  parent?: ParentPlace;
}

/** The place of a stored chunk in its document, and what is noted with it. */
export type ChunkPlace = Pick<StoredChunk, "id" | "position" | "metadata" | "parent">;

export interface NewChunk {
  /** A stored chunk that only gets its vector; absent for a new one. */
  id?: string;
  position: number;
  heading: string;
  content: string;
  hash: string;
  tokens: number;
  metadata: JsonObject;
  parent?: ParentPlace;
  embedding: readonly number[] | null;
}

/** How an ingest ended. */
export type DocumentEnd = { status: "ready" } | { status: "failed"; error: { message: string; hint: string } };

/**
 * Writes documents. A change of chunks names the ingest that it belongs to: once another one has begun for the same document, it is
 * refused as a conflict, so that no document gets chunks of two versions.
 */
export interface DocumentWriter {
  /** What the collection has under this name or with this content. */
  findDocuments(collectionId: string, match: { name: string; hash: string }): Promise<KnownDocument[]>;
  /**
   * Stores what was read, as `pending`: over the document of this name, whose chunks stay until they are arranged, or as a new one,
   * of this `id` if one is given. Gives the document's id, and the ingest that has begun. With `upload`, the file that it was read from,
   * only while that is what the document of this name is to be made of.
   */
  putDocument(
    collectionId: string,
    document: SourceDocument,
    options: { hash: string; id?: string; upload?: string },
  ): Promise<{ id: string; ingest: string }>;
  /** What a document is found by besides its text, in the place of what it has. */
  setMetadata(documentId: string, metadata: DocumentMetadata): Promise<void>;
  storedChunks(documentId: string): Promise<StoredChunk[]>;
  /** Deletes chunks and gives others their new places and metadata: all or none. */
  arrangeChunks(
    documentId: string,
    change: { remove: readonly string[]; move: readonly ChunkPlace[] },
    ingest?: string,
  ): Promise<void>;
  /** All or none. Rejects when vectors have another length than the collection's, or another model. */
  addChunks(documentId: string, chunks: readonly NewChunk[], model: string | null, ingest?: string): Promise<void>;
  /** Adds what a part of an ingest cost, as soon as it is spent; the document stays, or becomes again, `pending`. */
  recordCost(documentId: string, costUsd: number | null, ingest?: string): Promise<void>;
  /** Closes an ingest: counts chunks and tokens, adds what it cost besides what is recorded. */
  finishDocument(documentId: string, end: DocumentEnd & { costUsd: number | null }, ingest?: string): Promise<void>;
  /** Out of sight and search at once. */
  removeDocument(id: string): Promise<void>;
}
