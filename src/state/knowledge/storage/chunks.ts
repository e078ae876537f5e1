import { z } from "zod/mini";
import type { StoredChunk } from "../../../engine/knowledge/stored-documents.ts";
import type { KnowledgeRepository } from "../../../services/knowledge.ts";
import type { Database } from "../../conversation/storage/message-store.ts";
import { knowledgeQuery, onlyRow } from "./knowledge-query.ts";
import {
  chunkColumns,
  chunkRow,
  documentColumns,
  documentRow,
  storedChunkColumns,
  storedChunkRow,
} from "./knowledge-rows.ts";
import { vectorText } from "./vector-text.ts";

type Chunks = Pick<KnowledgeRepository, "chunks" | "around" | "storedChunks" | "arrangeChunks" | "addChunks">;

/** Rows per request; hosted Supabase hands out no more at once. */
const pageSize = 1_000;

/** Chunks in `studio_knowledge_chunks`. */
export function createChunks(database: Database): Chunks {
  const table = () => database.from("studio_knowledge_chunks");
  const ofDocument = (documentId: string) => table().select(chunkColumns).eq("document_id", documentId);

  return {
    chunks: (documentId, { from, limit }) =>
      knowledgeQuery(
        "list the chunks",
        z.array(chunkRow),
        ofDocument(documentId).gte("position", from).order("position").limit(Math.min(limit, pageSize)),
      ),

    async around(chunkId, reach) {
      const what = "open the chunk";
      const found = await knowledgeQuery(what, z.array(chunkRow), table().select(chunkColumns).eq("id", chunkId));
      const { documentId, position } = onlyRow(found, "chunk");
      const document = database.from("studio_knowledge_documents").select(documentColumns);
      const documents = await knowledgeQuery(
        what,
        z.array(documentRow),
        document.eq("id", documentId).is("deleted_at", null),
      );
      const near = ofDocument(documentId)
        .gte("position", position - reach)
        .lte("position", position + reach)
        .order("position");
      return {
        document: onlyRow(documents, "document"),
        chunks: await knowledgeQuery(what, z.array(chunkRow), near),
      };
    },

    async storedChunks(documentId) {
      const all: StoredChunk[] = [];
      for (;;) {
        const request = table()
          .select(storedChunkColumns)
          .eq("document_id", documentId)
          .order("position")
          .order("id")
          .range(all.length, all.length + pageSize - 1);
        const page = await knowledgeQuery("compare the chunks", z.array(storedChunkRow), request);
        all.push(...page);
        if (page.length < pageSize) return all;
      }
    },

    async arrangeChunks(documentId, { remove, move }, ingest) {
      if (remove.length === 0 && move.length === 0) return;
      const request = database.rpc("studio_arrange_knowledge_chunks", {
        p_document_id: documentId,
        p_remove: remove,
        p_move: move,
        p_ingest: ingest ?? null,
      });
      await knowledgeQuery("arrange the chunks", z.unknown(), request);
    },

    async addChunks(documentId, chunks, model, ingest) {
      if (chunks.length === 0) return;
      const request = database.rpc("studio_store_knowledge_chunks", {
        p_document_id: documentId,
        p_model: model,
        p_chunks: chunks.map((chunk) => ({ ...chunk, embedding: chunk.embedding && vectorText(chunk.embedding) })),
        p_ingest: ingest ?? null,
      });
      await knowledgeQuery("save the chunks", z.unknown(), request);
    },
  };
}
