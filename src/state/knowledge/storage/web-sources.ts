import { z } from "zod/mini";
import { ServiceError } from "../../../services/services.ts";
import { sourceKinds, type ReloadReport, type SourceSummary, type WebSources } from "../../../services/web-sources.ts";
import type { Database } from "../../conversation/storage/message-store.ts";
import { query } from "../../shared/storage/query.ts";
import { knowledgeQuery } from "./knowledge-query.ts";

const count = z._default(z.number(), 0);

const reportFields = {
  added: count,
  changed: count,
  unchanged: count,
  failed: count,
  gone: count,
  removed: count,
  tokens: count,
  costUsd: z._default(z.nullable(z.number()), 0),
  cut: z._default(z.boolean(), false),
};

const failure = { message: z.string(), hint: z.string() };

const sourceRow = z.pipe(
  z.object({
    id: z.string(),
    kind: z.enum(sourceKinds),
    url: z.string(),
    depth: z.number(),
    include: z.array(z.string()),
    exclude: z.array(z.string()),
    every_hours: z.nullable(z.number()),
    max_pages: z.number(),
    max_tokens: z.coerce.number(),
    state: z.enum(["idle", "running", "asking"]),
    counts: z.boolean(),
    due_at: z.nullable(z.string()),
    tally: z.object(reportFields),
    last: z.nullable(
      z.object({ ...reportFields, counted: z.boolean(), error: z.nullable(z.object(failure)), endedAt: z.string() }),
    ),
    documents: z.coerce.number(),
    failures: z.array(z.object({ url: z.string(), ...failure })),
  }),
  z.transform(({ every_hours, max_pages, max_tokens, due_at, tally, ...row }): SourceSummary => ({
    ...row,
    everyHours: every_hours,
    maxPages: max_pages,
    maxTokens: max_tokens,
    dueAt: due_at,
    report: tally satisfies ReloadReport,
  })),
);

/** Sources in `studio_knowledge_sources`; functions of the database change them. */
export function createWebSources(database: Database): WebSources {
  return {
    list: (collectionId) =>
      query(
        "list the sources",
        z.array(sourceRow),
        database.rpc("studio_list_sources", { p_collection_id: collectionId }),
      ),

    async save(collectionId, draft, id) {
      const given = { p_id: id ?? null, p_collection_id: collectionId, p_source: { ...draft } };
      const request = database.rpc("studio_save_source", given);
      const saved = await knowledgeQuery("save the source", z.nullable(z.string()), request);
      if (saved === null) throw missingSource();
    },

    async reload(id, { accept }) {
      const reloaded = database.rpc("studio_reload_source", { p_id: id, p_accept: accept });
      if (!(await query("reload the source", z.boolean(), reloaded))) throw missingSource();
    },

    async remove(id, { withDocuments }) {
      const removed = database.rpc("studio_delete_source", { p_id: id, p_with_documents: withDocuments });
      const documents = await query("delete the source", z.nullable(z.number()), removed);
      if (documents === null) throw missingSource();
      return documents;
    },
  };
}

function missingSource(): ServiceError {
  return new ServiceError("not-found", "This source does not exist.", "It may have been deleted. Reload the page.");
}
