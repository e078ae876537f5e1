import { z } from "zod/mini";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { storedForm } from "../../../engine/document/stored-form.ts";
import { readDocument } from "../../../engine/document/read-document.ts";
import { wellFormed } from "../../../engine/well-formed.ts";
import {
  type ImportedWorkflow,
  type ListedWorkflow,
  ServiceError,
  type StoredWorkflow,
  type WorkflowRepository,
  type WorkflowSummary,
} from "../../../services/services.ts";
import { askTogether } from "../../shared/storage/ask-together.ts";
import { execute, query } from "../../shared/storage/query.ts";
import { listParameters, readAll, readPage } from "../../shared/storage/read-pages.ts";
import { lastRun } from "../../run/storage/run-outcome.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

const summaryRow = z.pipe(
  z.object({
    id: z.string(),
    name: z.string(),
    revision: z.number(),
    created_at: z.string(),
    updated_at: z.string(),
  }),
  z.transform((row): WorkflowSummary => ({
    id: row.id,
    name: row.name,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  })),
);

const listedRow = z.pipe(
  z.intersection(
    summaryRow,
    z.object({
      description: z.nullable(z.string()),
      tags: z.array(z.string()),
      last_run: z.nullable(lastRun),
      deleted_at: z.nullable(z.string()),
    }),
  ),
  z.transform(({ description, last_run, deleted_at, ...row }): ListedWorkflow => ({
    ...row,
    description: description ?? "",
    lastRun: last_run,
    deletedAt: deleted_at,
  })),
);

const storedRow = z.intersection(z.object({ document: z.unknown() }), summaryRow);

const summaryColumns = "id,name,revision,created_at,updated_at";
const storedColumns = `${summaryColumns},document`;

const importedRow = z.pipe(
  z.object({
    id: z.string(),
    name: z.string(),
    created_at: z.string(),
    import_state: z.object({
      format: z.string(),
      received: z.boolean(),
      nodes: z.catch(z.number(), 0),
      placeholder: z.number(),
      needsCredential: z.number(),
      approximated: z.number(),
      first: z.nullable(z.string()),
    }),
  }),
  z.transform(({ id, name, created_at, import_state }): ImportedWorkflow => {
    const { format, received, nodes, first, ...open } = import_state;
    return { id, name, createdAt: created_at, format, received, nodes, first, open };
  }),
);

const outlineRow = z.object({ id: z.string(), document: z.unknown() });

/** Workflows that one request for pictures names; the function gives no more. */
const mostOutlines = 100;

const tagRow = z.object({ tag: z.string(), workflows: z.coerce.number() });

/** Milliseconds before a workflow is created again whose creation was not answered, or not well. */
const createPauses = [500, 1_500];

function mayPass(error: unknown): boolean {
  return error instanceof ServiceError && (error.kind === "offline" || error.kind === "server");
}

/** Workflows in `studio_workflows`. Row level security shows the user their own. */
export function createWorkflowRepository({ database }: Pick<SupabaseClient, "database">): WorkflowRepository {
  const table = () => database.from("studio_workflows");

  async function get(id: string): Promise<StoredWorkflow> {
    const one = table().select(storedColumns).eq("id", id).is("deleted_at", null);
    const [row] = await query("open the workflow", z.array(storedRow), one);
    if (row === undefined) {
      const hint = "It may have been deleted, or it belongs to another account.";
      throw new ServiceError("not-found", "This workflow does not exist.", hint);
    }
    return toStored(row);
  }

  const page: WorkflowRepository["page"] = ({ order, tags = [], trash = false, own = false, ...request }) => {
    const parameters = { ...listParameters(request), p_order: order, p_tags: tags, p_trash: trash, p_own: own };
    const listed = database.rpc("studio_list_workflows", parameters);
    return readPage("list your workflows", listedRow, listed, request);
  };

  /** A workflow that exists already may be this very one: an earlier request arrived, and its answer did not. */
  async function insert(document: WorkflowDocument): Promise<StoredWorkflow> {
    const { id, name } = document;
    try {
      await execute("create the workflow", table().insert({ id, name, document }));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== "conflict") throw error;
      // Somebody else's is not found.
      const stored = await get(id).catch(() => Promise.reject(error));
      if (storedForm(stored.document) !== storedForm(document)) throw error;
      return stored;
    }
    return get(id);
  }

  async function setDeleted(id: string, what: string, deletedAt: string | null): Promise<void> {
    const changed = await query(
      what,
      z.array(z.object({ id: z.string() })),
      table().update({ deleted_at: deletedAt }).eq("id", id).select("id"),
    );
    if (changed.length === 0) throw new ServiceError("not-found", "This workflow does not exist.", "Reload the list.");
  }

  const outline = askTogether(async (ids) => {
    const asked = database.rpc("studio_workflow_outlines", { p_ids: ids });
    const rows = await query("read the pictures of your workflows", z.array(outlineRow), asked);
    return new Map(rows.map(({ id, document }) => [id, document]));
  }, mostOutlines);

  return {
    page,

    async outline(id) {
      const read = readDocument(await outline(id));
      if (read.ok) return { nodes: read.document.nodes, edges: read.document.edges };
      throw new ServiceError("not-found", "This workflow has no picture.", "It may have been deleted.");
    },

    imports({ open, ...request }) {
      const listed = database.rpc("studio_list_imports", { ...listParameters(request), p_open: open });
      return readPage("list what was imported", importedRow, listed, request);
    },

    list: (search = "") => readAll((request) => page({ ...request, search, order: "name" })),

    async find(id) {
      if (!z.guid().safeParse(id).success) return undefined;
      const one = table().select(summaryColumns).eq("id", id).is("deleted_at", null);
      return (await query("look for the workflow", z.array(summaryRow), one))[0];
    },

    get,

    async create(wanted) {
      const document = wellFormed(wanted);
      for (const pause of createPauses) {
        try {
          return await insert(document);
        } catch (error) {
          if (!mayPass(error)) throw error;
          await new Promise((resolve) => setTimeout(resolve, pause));
        }
      }
      return insert(document);
    },

    async save(wanted, expectedRevision) {
      const document = wellFormed(wanted);
      const saved = await query(
        "save the workflow",
        z.array(summaryRow),
        table()
          .update({ name: document.name, document })
          .eq("id", document.id)
          .eq("revision", expectedRevision)
          .is("deleted_at", null)
          .select(summaryColumns),
      );
      const row = saved[0];
      if (row !== undefined) return { ok: true, revision: row.revision, updatedAt: row.updatedAt };
      return { ok: false, reason: "conflict", theirs: await get(document.id) };
    },

    tags: () => query("list the tags", z.array(tagRow), database.rpc("studio_workflow_tags")),

    async setTags(id, tags) {
      const changed = await query(
        "save the tags",
        z.array(z.object({ id: z.string() })),
        table().update({ tags }).eq("id", id).select("id"),
      );
      if (changed.length === 0)
        throw new ServiceError("not-found", "This workflow does not exist.", "Reload the list.");
    },

    removeForever: (id) => execute("delete the workflow", table().delete().eq("id", id).not("deleted_at", "is", null)),

    async pruneTrash() {
      await query("empty the trash", z.number(), database.rpc("studio_prune_trash"));
    },

    remove: (id) => setDeleted(id, "delete the workflow", new Date().toISOString()),
    restore: (id) => setDeleted(id, "restore the workflow", null),
  };
}

/** The row's id and name count, whatever the document says. */
function toStored({ document, ...summary }: z.infer<typeof storedRow>): StoredWorkflow {
  const read = readDocument(document, undefined, () => summary.id);
  if (!read.ok) {
    throw new ServiceError("invalid", "The stored workflow cannot be read.", read.problems.join(" "));
  }
  return { ...summary, document: { ...read.document, id: summary.id, name: summary.name } };
}
