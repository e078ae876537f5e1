import { z } from "zod/mini";
import type { CollectionDraft, CollectionSummary, KnowledgeRepository } from "../../../services/knowledge.ts";
import type { PageRequest } from "../../../services/services.ts";
import type { Database } from "../../conversation/storage/message-store.ts";
import { execute } from "../../shared/storage/query.ts";
import { listParameters, readAll, readPage } from "../../shared/storage/read-pages.ts";
import { deletedLongAgo } from "./deleted-rows.ts";
import { isUuid } from "../../shared/storage/is-uuid.ts";
import { knowledgeQuery, onlyRow } from "./knowledge-query.ts";
import { collectionRow } from "./knowledge-rows.ts";

type Collections = Pick<
  KnowledgeRepository,
  "collectionPage" | "collections" | "collection" | "create" | "update" | "setEmbedding" | "remove" | "restore"
>;

const idRow = z.array(z.object({ id: z.string() }));

/** Collections in `studio_knowledge_collections`. */
export function createCollections(database: Database): Collections {
  const table = () => database.from("studio_knowledge_collections");

  const page = ({ ids, ...request }: PageRequest & { ids?: readonly string[] }) => {
    const filter = { ...listParameters(request), p_ids: ids ?? null };
    return readPage("list your collections", collectionRow, database.rpc("studio_list_collections", filter), request);
  };

  async function collection(id: string): Promise<CollectionSummary> {
    return onlyRow((await page({ ids: [id].filter(isUuid), limit: 1 })).rows, "collection");
  }

  async function setDeleted(id: string, what: string, deletedAt: string | null): Promise<void> {
    onlyRow(
      await knowledgeQuery(what, idRow, table().update({ deleted_at: deletedAt }).eq("id", id).select("id")),
      "collection",
    );
  }

  return {
    collectionPage: page,

    collections: ({ ids, ...wanted } = {}) => {
      const known = ids?.filter(isUuid);
      return readAll((request) => page({ ...request, ...wanted, ...(known === undefined ? {} : { ids: known }) }));
    },

    collection,

    async create(draft) {
      const row = { name: draft.name, ...columnsOf(draft), ...embeddingColumns(draft.embedding ?? null) };
      const made = await knowledgeQuery("create the collection", idRow, table().insert(row).select("id"));
      return await collection(onlyRow(made, "collection").id);
    },

    async update(id, change) {
      const request = table()
        .update({ ...(change.name === undefined ? {} : { name: change.name }), ...columnsOf(change) })
        .eq("id", id)
        .is("deleted_at", null)
        .select("id");
      onlyRow(await knowledgeQuery("change the collection", idRow, request), "collection");
      return await collection(id);
    },

    async setEmbedding(id, embedding) {
      const { embedding_provider, embedding_model, embedding_credential } = embeddingColumns(embedding);
      const request = database.rpc("studio_set_knowledge_embedding", {
        p_collection_id: id,
        p_provider: embedding_provider,
        p_model: embedding_model,
        p_credential: embedding_credential,
      });
      await knowledgeQuery("change the embeddings", z.unknown(), request);
      return await collection(id);
    },

    async remove(id) {
      await setDeleted(id, "delete the collection", new Date().toISOString());
      await execute("delete old collections", table().delete().lt("deleted_at", deletedLongAgo()));
    },

    restore: (id) => setDeleted(id, "restore the collection", null),
  };
}

function columnsOf({ description, chunking, language, searchMode, table }: Partial<CollectionDraft>) {
  return {
    ...(table === undefined ? {} : { postgres_table: table }),
    ...(description === undefined ? {} : { description }),
    ...(language === undefined ? {} : { language }),
    ...(searchMode === undefined ? {} : { search_mode: searchMode }),
    ...(chunking === undefined
      ? {}
      : { chunk_size: chunking.size, chunk_overlap: chunking.overlap, splitting: chunking.split ?? null }),
  };
}

function embeddingColumns(embedding: CollectionSummary["embedding"]) {
  return {
    embedding_provider: embedding?.provider ?? null,
    embedding_model: embedding?.model ?? null,
    embedding_credential: embedding?.credential ?? "",
  };
}
