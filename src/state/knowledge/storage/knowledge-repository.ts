import type { Json } from "../../../engine/json.ts";
import { metadataJson } from "../../../engine/knowledge/document-metadata.ts";
import { onlyRead } from "../../../engine/knowledge/knowledge-errors.ts";
import { RunError } from "../../../engine/errors.ts";
import type { ChunkEntry, KnowledgeRepository } from "../../../services/knowledge.ts";
import { ServiceError } from "../../../services/services.ts";
import type { Database } from "../../conversation/storage/message-store.ts";
import { thrownFailure } from "../../shared/storage/service-failure.ts";
import { createChunks } from "./chunks.ts";
import { createCollections } from "./collections.ts";
import { createDocuments } from "./documents.ts";
import { createKnowledgeStore } from "./knowledge-store.ts";

/** Chunks per request of an export. */
const exportPage = 500;

/** Collections, documents and chunks in Postgres. Row level security shows the user their own. */
export function createKnowledgeRepository(database: Database): KnowledgeRepository {
  const collections = createCollections(database);
  const documents = createDocuments(database);
  const chunks = createChunks(database);
  const store = createKnowledgeStore(database);

  async function allChunks(documentId: string): Promise<ChunkEntry[]> {
    const all: ChunkEntry[] = [];
    for (;;) {
      const page = await chunks.chunks(documentId, { from: (all.at(-1)?.position ?? -1) + 1, limit: exportPage });
      all.push(...page);
      if (page.length < exportPage) return all;
    }
  }

  return {
    ...collections,
    ...documents,
    ...chunks,

    async fields(collectionId, options) {
      try {
        return await store.fields(collectionId, options);
      } catch (error) {
        options?.signal?.throwIfAborted();
        throw error instanceof RunError ? asServiceError(error) : thrownFailure("read the fields", error);
      }
    },

    async search(query) {
      try {
        return await store.search(query);
      } catch (error) {
        query.signal?.throwIfAborted();
        throw error instanceof RunError ? asServiceError(error) : thrownFailure("search the collection", error);
      }
    },

    async exportCollection(id): Promise<Json> {
      const { name, description, embedding, chunking, table } = await collections.collection(id);
      const { size, overlap, split } = chunking;
      if (table) throw asServiceError(onlyRead());
      const listed = await documents.documents(id);
      const exported = [];
      for (const { id: documentId, name: document, kind, source, size: bytes, metadata } of listed) {
        const entries = await allChunks(documentId);
        exported.push({
          name: document,
          kind,
          source,
          size: bytes,
          metadata: metadataJson(metadata),
          chunks: entries.map(chunkJson),
        });
      }
      return {
        format: "switchyard-knowledge",
        version: 1,
        id,
        name,
        description,
        embedding: embedding && { provider: embedding.provider, model: embedding.model },
        chunking: split ? { size, overlap, split: { ...split } } : { size, overlap },
        documents: exported,
      };
    },
  };
}

function chunkJson({ heading, content, metadata, parent }: ChunkEntry): Json {
  const exported = { heading, content, metadata };
  return parent ? { ...exported, parent: { ...parent } } : exported;
}

function asServiceError({ data }: RunError): ServiceError {
  return new ServiceError(data.code === "invalid_config" ? "invalid" : "server", data.message, data.hint);
}
