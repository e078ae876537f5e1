import { z } from "zod/mini";
import { readDocument } from "../engine/document/read-document.ts";
import { isJsonObject, type Json } from "../engine/json.ts";
import {
  type ListedWorkflow,
  ServiceError,
  type StoredWorkflow,
  type WorkflowRepository,
  type WorkflowSummary,
} from "../services/services.ts";
import type { AuthorizedFetch } from "./authorized-fetch.ts";
import { query, type QueryAnswer } from "./query.ts";
import { listParameters, readPage } from "./read-pages.ts";
import { lastRun } from "./run-outcome.ts";

export const summaryRow = z.pipe(
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

export const summaryColumns = "id,name,revision,created_at,updated_at";
export const storedColumns = `${summaryColumns},document`;

/** How rows are asked for: of the workflow `id`, or by the parameters of `studio_list_workflows`. */
interface WorkflowRequests {
  stored(id: string): PromiseLike<QueryAnswer>;
  listed(parameters: Record<string, unknown>): PromiseLike<QueryAnswer>;
}

/** What the editor and the library show first. */
export function createWorkflowReads({ stored, listed }: WorkflowRequests): Pick<WorkflowRepository, "get" | "page"> {
  return {
    async get(id) {
      const [row] = await query("open the workflow", z.array(storedRow), stored(id));
      if (row === undefined) {
        const hint = "It may have been deleted, or it belongs to another account.";
        throw new ServiceError("not-found", "This workflow does not exist.", hint);
      }
      return toStored(row);
    },
    page({ order, tags = [], trash = false, ...request }) {
      const parameters = { ...listParameters(request), p_order: order, p_tags: tags, p_trash: trash };
      return readPage("list your workflows", listedRow, listed(parameters), request);
    },
  };
}

/** As plain requests to PostgREST, so that a page need not wait for supabase-js. */
export function plainWorkflowRequests(send: AuthorizedFetch): WorkflowRequests {
  return {
    stored(id) {
      const search = new URLSearchParams({ select: storedColumns, id: `eq.${id}`, deleted_at: "is.null" });
      return answerOf(send(`/studio_workflows?${search.toString()}`));
    },
    listed: (parameters) =>
      answerOf(
        send("/rpc/studio_list_workflows", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(parameters),
        }),
      ),
  };
}

/** The answer in the form of supabase-js's. */
async function answerOf(request: Promise<Response>): Promise<QueryAnswer> {
  const response = await request;
  const body = storedJson(await response.text());
  if (response.ok) return { data: body, error: null, status: response.status };
  const { message = "", code = "" } = isJsonObject(body) ? body : {};
  return { data: null, error: { message: String(message), code: String(code) }, status: response.status };
}

/** The studio's own rows, as supabase-js reads them. */
function storedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The row's id and name count, whatever the document says. */
function toStored({ document, ...summary }: z.infer<typeof storedRow>): StoredWorkflow {
  const read = readDocument(document, undefined, () => summary.id);
  if (!read.ok) {
    throw new ServiceError("invalid", "The stored workflow cannot be read.", read.problems.join(" "));
  }
  return { ...summary, document: { ...read.document, id: summary.id, name: summary.name } };
}
