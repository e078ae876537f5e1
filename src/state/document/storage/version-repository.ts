import { z } from "zod/mini";
import { readDocument } from "../../../engine/document/read-document.ts";
import {
  ServiceError,
  type VersionRepository,
  type VersionSummary,
  versionReasons,
} from "../../../services/services.ts";
import { execute, query } from "../../shared/storage/query.ts";
import { largestPage } from "../../shared/storage/read-pages.ts";
import { rememberedSuites } from "./remembered-suites.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

const summaryRow = z.pipe(
  z.object({
    id: z.string(),
    workflow_id: z.string(),
    name: z.nullable(z.string()),
    reason: z.enum(versionReasons),
    revision: z.number(),
    saved_at: z.string(),
    suites: rememberedSuites,
  }),
  z.transform((row): VersionSummary => ({
    id: row.id,
    workflowId: row.workflow_id,
    name: row.name,
    reason: row.reason,
    revision: row.revision,
    savedAt: row.saved_at,
    suites: row.suites,
  })),
);

const columns = "id,workflow_id,name,reason,revision,saved_at,suites";

/** Versions are listed in the order in which they were kept. */
const listedRow = z.intersection(z.object({ seq: z.number() }), summaryRow);

/** Versions in `studio_workflow_versions`. Row level security shows the user their own. */
export function createVersionRepository({ database }: SupabaseClient): VersionRepository {
  const table = () => database.from("studio_workflow_versions");
  const gone = () =>
    new ServiceError("not-found", "This version no longer exists.", "Close the list and open it again.");

  return {
    async page(workflowId, { limit, after }) {
      const all = table().select(`${columns},seq`).eq("workflow_id", workflowId);
      const rest = typeof after === "number" ? all.lt("seq", after) : all;
      const request = rest.order("seq", { ascending: false }).limit(Math.min(limit, largestPage) + 1);
      const found = await query("list the versions", z.array(listedRow), request);
      const shown = found.slice(0, Math.min(limit, largestPage));
      return {
        rows: shown.map(({ seq: _place, ...version }) => version),
        next: found.length > shown.length ? (shown.at(-1)?.seq ?? null) : null,
      };
    },

    async document(id) {
      const rows = z.array(z.object({ document: z.unknown() }));
      const [row] = await query("open the version", rows, table().select("document").eq("id", id));
      if (row === undefined) throw gone();
      const read = readDocument(row.document);
      if (read.ok) return read.document;
      throw new ServiceError("invalid", "This version cannot be read.", read.problems.join(" "));
    },

    async keep(document, { name, reason, revision }) {
      const row = { workflow_id: document.id, name: name ?? null, reason, revision, document };
      const [kept] = await query("save the version", z.array(summaryRow), table().insert(row).select(columns));
      if (kept === undefined) throw gone();
      return kept;
    },

    async rename(id, name) {
      const rows = z.array(z.object({ id: z.string() }));
      const changed = await query("rename the version", rows, table().update({ name }).eq("id", id).select("id"));
      if (changed.length === 0) throw gone();
    },

    remove: (id) => execute("delete the version", table().delete().eq("id", id)),
  };
}
