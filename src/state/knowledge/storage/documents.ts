import { z } from "zod/mini";
import type { DocumentEnd } from "../../../engine/knowledge/stored-documents.ts";
import type { DocumentSummary, KnowledgeRepository } from "../../../services/knowledge.ts";
import type { Database } from "../../conversation/storage/message-store.ts";
import { execute } from "../../shared/storage/query.ts";
import { largestPage, listParameters, readAll, readPage } from "../../shared/storage/read-pages.ts";
import { deletedLongAgo } from "./deleted-rows.ts";
import { isUuid } from "../../shared/storage/is-uuid.ts";
import { knowledgeQuery, onlyRow } from "./knowledge-query.ts";
import { documentColumns, documentRow, openIngestRow, sectionsRow } from "./knowledge-rows.ts";

type Documents = Pick<
  KnowledgeRepository,
  | "document"
  | "documentPage"
  | "sections"
  | "original"
  | "setOriginal"
  | "documents"
  | "setDocumentLanguage"
  | "setMetadata"
  | "describeDocuments"
  | "reindex"
  | "removeDocument"
  | "restoreDocument"
  | "findDocuments"
  | "putDocument"
  | "pendingDocuments"
  | "markPending"
  | "beginIngest"
  | "recordCost"
  | "finishDocument"
>;

type DocumentState = { status: "pending" } | DocumentEnd;

const originalRow = z.array(z.object({ original: z.nullable(z.string()) }));
const idRow = z.array(z.object({ id: z.string() }));
const putRow = z.array(z.object({ id: z.string(), ingest: z.string() }));

/** Documents in `studio_knowledge_documents`. */
export function createDocuments(database: Database): Documents {
  const table = () => database.from("studio_knowledge_documents");
  const shown = () => table().select(documentColumns).is("deleted_at", null);

  async function setDeleted(id: string, what: string, deletedAt: string | null): Promise<void> {
    const request = table().update({ deleted_at: deletedAt }).eq("id", id).select("id");
    onlyRow(await knowledgeQuery(what, idRow, request), "document");
  }

  /** Counts what is stored of a document, and adds what it cost. */
  async function note(
    what: string,
    id: string,
    state: DocumentState & { costUsd: number | null },
    ingest?: string,
  ): Promise<void> {
    const request = database.rpc("studio_finish_knowledge_document", {
      p_document_id: id,
      p_status: state.status,
      p_error: state.status === "failed" ? state.error : null,
      p_cost_usd: state.costUsd,
      p_ingest: ingest ?? null,
    });
    await knowledgeQuery(what, z.unknown(), request);
  }

  const page: Documents["documentPage"] = (collectionId, request) => {
    const filter = { ...listParameters(request), p_collection_id: collectionId };
    return readPage("list the documents", documentRow, database.rpc("studio_list_documents", filter), request);
  };

  return {
    async document(id) {
      const found = isUuid(id) ? shown().eq("id", id) : null;
      const rows = found && (await knowledgeQuery("open the document", z.array(documentRow), found));
      return onlyRow(rows ?? [], "document");
    },

    documentPage: page,

    async sections(id) {
      const request = table().select("sections").eq("id", id).is("deleted_at", null);
      const rows = await knowledgeQuery("read the document", z.array(sectionsRow), request);
      return onlyRow(rows, "document").sections;
    },

    async original(id) {
      const request = table().select("original").eq("id", id).is("deleted_at", null);
      return onlyRow(await knowledgeQuery("open the document", originalRow, request), "document").original;
    },

    async setOriginal(id, fileId) {
      const request = table().update({ original: fileId }).eq("id", id).select("id");
      onlyRow(await knowledgeQuery("keep the file of the document", idRow, request), "document");
    },

    documents: (collectionId) => readAll((request) => page(collectionId, request)),

    async setDocumentLanguage(id, language) {
      const request = table()
        .update({ language, language_chosen: language !== null })
        .eq("id", id)
        .select("id");
      onlyRow(await knowledgeQuery("change the language", idRow, request), "document");
    },

    async setMetadata(id, metadata) {
      const request = table().update({ metadata }).eq("id", id).select("id");
      onlyRow(await knowledgeQuery("save the metadata", idRow, request), "document");
    },

    describeDocuments: (collectionId, search, metadata) =>
      knowledgeQuery(
        "save the metadata",
        z.number(),
        database.rpc("studio_describe_documents", {
          p_collection_id: collectionId,
          p_search: search,
          p_metadata: metadata,
        }),
      ),

    reindex: () => knowledgeQuery("index the documents", z.boolean(), database.rpc("studio_reindex_knowledge")),

    async removeDocument(id) {
      await setDeleted(id, "delete the document", new Date().toISOString());
      await execute("delete old documents", table().delete().lt("deleted_at", deletedLongAgo()));
    },

    restoreDocument: (id) => setDeleted(id, "restore the document", null),

    async findDocuments(collectionId, { name, hash }) {
      const what = "look for the document";
      const same = (column: string, value: string) =>
        knowledgeQuery(
          what,
          z.array(documentRow),
          shown().eq("collection_id", collectionId).eq(column, value).order("created_at").limit(largestPage),
        );
      const [byName, byHash] = await Promise.all([same("name", name), same("content_hash", hash)]);
      return [...byName, ...byHash.filter((found) => byName.every((one) => one.id !== found.id))];
    },

    async pendingDocuments(collectionId) {
      const all: DocumentSummary[] = [];
      for (;;) {
        let pending = shown().eq("status", "pending").is("upload", null);
        if (collectionId !== undefined) pending = pending.eq("collection_id", collectionId);
        const last = all.at(-1);
        if (last !== undefined) pending = pending.gt("id", last.id);
        const request = pending.order("id").limit(largestPage);
        const read = await knowledgeQuery("look for unfinished documents", z.array(documentRow), request);
        all.push(...read);
        if (read.length < largestPage) break;
      }
      return all.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
    },

    async markPending(collectionId) {
      const request = table().update({ status: "pending", error: null }).eq("collection_id", collectionId);
      await execute("re-chunk the collection", request.is("deleted_at", null));
    },

    async putDocument(collectionId, document, { hash, id, upload }) {
      const request = database.rpc("studio_put_knowledge_document", {
        p_collection_id: collectionId,
        p_id: id ?? null,
        p_document: { ...document, hash, ...(upload === undefined ? {} : { upload }) },
      });
      return onlyRow(await knowledgeQuery("save the document", putRow, request), "document");
    },

    async beginIngest(documentId) {
      const request = database.rpc("studio_begin_knowledge_ingest", { p_document_id: documentId });
      return onlyRow(await knowledgeQuery("read the document", z.array(openIngestRow), request), "document");
    },

    recordCost: (documentId, costUsd, ingest) =>
      note("record what the document cost", documentId, { status: "pending", costUsd }, ingest),

    finishDocument: (documentId, end, ingest) => note("finish the document", documentId, end, ingest),
  };
}
