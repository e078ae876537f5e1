import { RunError } from "../errors.ts";
import type { KnowledgeCollection, KnowledgeMetadata } from "../knowledge/knowledge.ts";
import { validMetadata, mergeMetadata } from "../knowledge/document-metadata.ts";
import { missingCollection, wrongDimension } from "../knowledge/knowledge-errors.ts";
import type { DocumentWriter, KnownDocument, NewChunk, ParentPlace } from "../knowledge/stored-documents.ts";

export interface KeptChunk {
  chunkId: string;
  content: string;
  metadata: KnowledgeMetadata;
  parent?: ParentPlace;
  embedding?: readonly number[];
  /** Of one that was added. */
  hash?: string;
}

export interface OpenCollection extends KnowledgeCollection {
  chunks: KeptChunk[];
}

/** A document with its collection and its present ingest. */
export interface OpenDocument extends KnownDocument {
  collection: OpenCollection;
  ingest: string;
}

/** A `DocumentWriter` over collections in memory. */
export function documentWriter(
  collections: readonly OpenCollection[],
  documents: Map<string, OpenDocument> = new Map(),
): DocumentWriter {
  let begun = 0;
  for (const collection of collections) {
    for (const { metadata } of collection.chunks) {
      const { documentId: id, document: name } = metadata;
      documents.set(id, {
        id,
        name,
        hash: "",
        status: "ready",
        metadata: validMetadata(metadata),
        collection,
        ingest: "",
      });
    }
  }

  const ofDocument = (id: string) => (chunk: KeptChunk) => chunk.metadata.documentId === id;
  const named = (collectionId: string, name: string) =>
    [...documents.values()].find((one) => one.collection.id === collectionId && one.name === name);

  function opened(id: string, ingest?: string): OpenDocument {
    const found = documents.get(id);
    if (found && (ingest === undefined || found.ingest === ingest)) return found;
    throw new RunError({
      code: "tool_error",
      message: found ? "The document was replaced meanwhile." : "The document no longer exists.",
      hint: "Add it again.",
    });
  }

  function keep(document: OpenDocument, { id, embedding, ...chunk }: NewChunk): void {
    const { collection } = document;
    if (embedding !== null) collection.dimension ??= embedding.length;
    if (embedding !== null && embedding.length !== collection.dimension) {
      throw wrongDimension(collection.dimension ?? 0, embedding.length);
    }
    const vector = embedding === null ? {} : { embedding };
    const known = collection.chunks.find(({ chunkId }) => chunkId === id);
    if (known) return void Object.assign(known, vector);
    const { content, hash, heading, position, parent } = chunk;
    const metadata = { ...chunk.metadata, documentId: document.id, document: document.name, heading, position };
    begun += 1;
    const added = { chunkId: `added-${begun}`, content, hash, metadata, ...vector };
    collection.chunks.push(parent ? { ...added, parent } : added);
  }

  return {
    async findDocuments(collectionId, { name, hash }) {
      const all = [...documents.values()].filter(({ collection }) => collection.id === collectionId);
      return all.filter((one) => one.name === name || one.hash === hash);
    },
    async putDocument(collectionId, { name, metadata = {} }, { hash, id }) {
      const collection = collections.find((one) => one.id === collectionId);
      if (!collection) throw missingCollection();
      begun += 1;
      const known = named(collectionId, name);
      const document: OpenDocument = {
        id: known?.id ?? id ?? `document-${begun}`,
        name,
        hash,
        status: "pending",
        metadata: mergeMetadata(known?.metadata ?? {}, metadata),
        collection,
        ingest: String(begun),
      };
      documents.set(document.id, document);
      return { id: document.id, ingest: document.ingest };
    },
    async setMetadata(id, metadata) {
      opened(id).metadata = metadata;
    },
    async storedChunks(id) {
      return opened(id)
        .collection.chunks.filter(ofDocument(id))
        .map(
          ({
            chunkId,
            hash = "",
            embedding,
            parent,
            metadata: { documentId: _id, heading: _heading, position, ...metadata },
          }) => ({
            id: chunkId,
            hash,
            position,
            embedded: embedding !== undefined,
            metadata,
            ...(parent ? { parent } : {}),
          }),
        );
    },
    async arrangeChunks(id, { remove, move }, ingest) {
      const { collection } = opened(id, ingest);
      collection.chunks = collection.chunks.filter(({ chunkId }) => !remove.includes(chunkId));
      for (const { id: moved, position, metadata, parent } of move) {
        const chunk = collection.chunks.find(({ chunkId }) => chunkId === moved);
        if (chunk) Object.assign(chunk, { metadata: { ...chunk.metadata, ...metadata, position }, parent });
      }
    },
    async addChunks(id, chunks, _model, ingest) {
      const document = opened(id, ingest);
      for (const chunk of chunks) keep(document, chunk);
    },
    async recordCost() {},
    async finishDocument(id, { status }, ingest) {
      const found = documents.get(id);
      if (found && (ingest === undefined || found.ingest === ingest)) found.status = status;
    },
    async removeDocument(id) {
      const { collection } = opened(id);
      documents.delete(id);
      collection.chunks = collection.chunks.filter((chunk) => !ofDocument(id)(chunk));
    },
  };
}
