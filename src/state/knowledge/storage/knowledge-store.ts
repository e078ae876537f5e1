import { z } from "zod/mini";
import { knowledgeModes } from "../../../engine/knowledge/knowledge.ts";
import type { KnowledgeHit, KnowledgeQuery, KnowledgeStore } from "../../../engine/knowledge/knowledge.ts";
import { RunError } from "../../../engine/errors.ts";
import { postgresTableSchema } from "../../../engine/knowledge/postgres-table.ts";
import { placeFields } from "../../../engine/knowledge/document-metadata.ts";
import { allOf, type Condition, fieldsIn, partsOf } from "../../../engine/knowledge/filter/condition.ts";
import type { DocumentWriter } from "../../../engine/knowledge/stored-documents.ts";
import { ServiceError } from "../../../services/services.ts";
import { createFields } from "./fields.ts";
import { createChunks } from "./chunks.ts";
import { createDocuments } from "./documents.ts";
import { chunkingOf, splitting } from "./knowledge-rows.ts";
import { isUuid } from "../../shared/storage/is-uuid.ts";
import type { Database } from "../../conversation/storage/message-store.ts";
import { searchError } from "./search-failure.ts";
import { vectorText } from "./vector-text.ts";

const collectionRow = z.object({
  id: z.string(),
  name: z.string(),
  embedding_provider: z.nullable(z.string()),
  embedding_model: z.nullable(z.string()),
  embedding_credential: z.string(),
  dimension: z.nullable(z.number()),
  chunk_size: z.number(),
  chunk_overlap: z.number(),
  splitting,
  search_mode: z.nullable(z.enum(knowledgeModes)),
  postgres_table: z.nullable(postgresTableSchema),
});

const collectionColumns =
  "id,name,embedding_provider,embedding_model,embedding_credential,dimension,chunk_size,chunk_overlap,splitting,search_mode,postgres_table";

const hitRow = z.pipe(
  z.object({
    id: z.string(),
    document_id: z.string(),
    document: z.string(),
    heading: z.string(),
    position: z.number(),
    content: z.string(),
    parent_text: z.nullable(z.string()),
    metadata: z.record(z.string(), z.json()),
    score: z.number(),
    semantic_score: z.nullable(z.number()),
    keyword_score: z.nullable(z.number()),
  }),
  z.transform(({ id, document_id, document, heading, position, parent_text: parentText, ...row }): KnowledgeHit => ({
    chunkId: id,
    content: row.content,
    ...(parentText === null ? {} : { parentText }),
    score: row.score,
    semanticScore: row.semantic_score,
    keywordScore: row.keyword_score,
    metadata: { ...row.metadata, documentId: document_id, document, heading, position },
  })),
);

/** Knowledge in Postgres, searched by one SQL function; row level security keeps it to its owner. */
export function createKnowledgeStore(database: Database): KnowledgeStore {
  return {
    ...createWriter(database),

    async collection(id, options = {}) {
      if (!isUuid(id)) return null;
      const request = database.from("studio_knowledge_collections").select(collectionColumns).eq("id", id);
      const listed = request.is("deleted_at", null);
      const { data, error } = await (options.signal ? listed.abortSignal(options.signal) : listed);
      options.signal?.throwIfAborted();
      if (error) throw searchError(error);
      const [row] = z.array(collectionRow).parse(data);
      if (!row) return null;
      const { embedding_provider: provider, embedding_model: model, embedding_credential: credential } = row;
      const embedding = provider === null || model === null ? null : { provider, model, credential };
      const chunking = chunkingOf(row);
      const { postgres_table: table, search_mode: searchMode } = row;
      const own = { id: row.id, name: row.name, embedding, dimension: row.dimension, chunking, searchMode };
      return table ? { ...own, table } : own;
    },

    fields: createFields(database),

    async search(query) {
      if (!isUuid(query.collection)) throw searchError({ message: "knowledge_collection_missing" });
      const request = database.rpc("studio_search_knowledge", searchParameters(query));
      const { data, error } = await (query.signal ? request.abortSignal(query.signal) : request);
      query.signal?.throwIfAborted();
      if (error) throw searchError(error);
      return z.array(hitRow).parse(data);
    },
  };
}

function createWriter(database: Database): DocumentWriter {
  const documents = createDocuments(database);
  const chunks = createChunks(database);
  return {
    findDocuments: inRun(documents.findDocuments),
    putDocument: inRun(documents.putDocument),
    setMetadata: inRun(documents.setMetadata),
    storedChunks: inRun(chunks.storedChunks),
    arrangeChunks: inRun(chunks.arrangeChunks),
    addChunks: inRun(chunks.addChunks),
    recordCost: inRun(documents.recordCost),
    finishDocument: inRun(documents.finishDocument),
    removeDocument: inRun(documents.removeDocument),
  };
}

/** The same call with its refusals as errors of a run. */
function inRun<Given extends unknown[], Answer>(
  call: (...given: Given) => Promise<Answer>,
): (...given: Given) => Promise<Answer> {
  return (...given) =>
    call(...given).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      const { message, hint, kind } = error;
      const code = kind === "invalid" ? "invalid_config" : "tool_error";
      throw new RunError({ code, message, hint, retryable: kind === "offline", cause: kind });
    });
}

function searchParameters({ collection, text, embedding, mode, limit, minScore, filter }: KnowledgeQuery) {
  return {
    p_collection_id: collection,
    p_text: text,
    p_embedding: embedding ? vectorText(embedding) : null,
    p_mode: mode,
    p_limit: limit,
    p_min_score: minScore ?? 0,
    ...filterParameters(filter),
  };
}

/** What concerns documents alone is looked up once a document instead of once a passage. */
function filterParameters(filter: Condition | undefined) {
  const parts = partsOf(filter);
  const ofPassages = (part: Condition) => fieldsIn(part).some((field) => field in placeFields);
  return {
    p_filter: allOf(parts.filter(ofPassages)) ?? null,
    p_documents: allOf(parts.filter((part) => !ofPassages(part))) ?? null,
  };
}
