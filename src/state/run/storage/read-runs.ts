import { z } from "zod/mini";
import { readDocument } from "../../../engine/document/read-document.ts";
import { isJsonObject } from "../../../engine/json.ts";
import type { RunEvent } from "../../../engine/run/events.ts";
import { eventsReferredTo, EventUnpacker } from "../../../engine/run/stored-events.ts";
import {
  type RunCursor,
  type RunFilter,
  type RunRepository,
  type RunSummary,
  ServiceError,
} from "../../../services/services.ts";
import { query } from "../../shared/storage/query.ts";
import { conversationRow, listedRow, summaryColumns, summaryRow } from "./run-rows.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

/** Events were written by this studio; that they are envelopes is all that can be checked without stating each again. */
export const eventRow = z.pipe(
  z.object({ event: z.custom<RunEvent>(isEvent) }),
  z.transform((row) => row.event),
);

function isEvent(value: unknown): boolean {
  return isJsonObject(value) && typeof value.type === "string" && typeof value.seq === "number";
}

/** PostgREST gives at most this many rows per request unless it is told otherwise. */
const pageSize = 1_000;

/** Of a long run, whose first page was full, so many are asked for at once: most of the time of each is its way. */
const pagesAhead = 3;

/** Reads stored runs, their events and the workflows as they were. */
export function readRuns({
  database,
}: Pick<SupabaseClient, "database">): Pick<
  RunRepository,
  "get" | "list" | "ofConversation" | "page" | "events" | "document"
> {
  const runs = () => database.from("studio_runs");
  const eventRows = () => database.from("studio_run_events");

  const find = (filter: RunFilter, limit: number, after?: RunCursor) =>
    query(
      "list the runs",
      z.array(listedRow),
      database.rpc("studio_find_runs", { p_filter: filter, p_limit: limit, p_after: after ?? null }),
    );

  /** Puts the pictures back to which a run's row only refers. */
  const withPictures = async (run: RunSummary): Promise<RunSummary> => {
    const seqs = eventsReferredTo([run.input, run.output]);
    const unpacker = new EventUnpacker();
    if (seqs.length > 0) {
      const rows = eventRows().select("event").eq("run_id", run.id).in("seq", seqs);
      for (const event of await query("load the run's pictures", z.array(eventRow), rows)) unpacker.unpack(event);
    }
    return { ...run, input: unpacker.value(run.input), output: unpacker.value(run.output) };
  };

  /** Runs on the server keep no document of their own: a published version never changes. */
  const publishedDocument = async (run: { workflow_id: string; published_version: number | null } | undefined) => {
    if (run === undefined || run.published_version === null) return undefined;
    const [version] = await query(
      "load the run's workflow",
      z.array(z.object({ document: z.unknown() })),
      database
        .from("studio_published")
        .select("document")
        .eq("workflow_id", run.workflow_id)
        .eq("version", run.published_version),
    );
    return version?.document;
  };

  return {
    async get(runId) {
      const [found] = await query("load the run", z.array(summaryRow), runs().select(summaryColumns).eq("id", runId));
      if (found) return withPictures(found);
      throw new ServiceError(
        "not-found",
        "This run does not exist.",
        "It was deleted, or it belongs to another account.",
      );
    },

    list: (workflowId, limit) => find({ workflowId, trials: false }, limit),

    ofConversation: (workflowId, sessionId) =>
      query(
        "load the conversation's runs",
        z.array(conversationRow),
        database.rpc("studio_conversation_runs", { p_workflow_id: workflowId, p_session_id: sessionId }),
      ),

    async page(filter, limit, after) {
      const found = await find(filter, limit, after);
      const last = found.at(-1);
      const more = last !== undefined && found.length === limit;
      return { runs: found, next: more ? { startedAt: last.startedAt, id: last.id } : null };
    },

    async events(runId) {
      const load = (from: number) => {
        const rows = eventRows()
          .select("event")
          .eq("run_id", runId)
          .order("seq")
          .range(from, from + pageSize - 1);
        const page = query("load the run", z.array(eventRow), rows);
        // Its failure counts when its turn comes, and not at all behind the end.
        page.catch(() => {});
        return page;
      };
      const all: RunEvent[] = [];
      const unpacker = new EventUnpacker();
      let asked = [load(0)];
      for (;;) {
        const [next, ...later] = asked;
        const page = (await next) ?? [];
        for (const event of page) all.push(unpacker.unpack(event));
        if (page.length < pageSize) return all;
        asked = later;
        while (asked.length < pagesAhead) asked.push(load(all.length + asked.length * pageSize));
      }
    },

    async document(runId) {
      const [row] = await query(
        "load the run's workflow",
        z.array(
          z.object({ workflow_id: z.string(), document: z.unknown(), published_version: z.nullable(z.number()) }),
        ),
        runs().select("workflow_id,document,published_version").eq("id", runId),
      );
      const read = readDocument(row?.document ?? (await publishedDocument(row)));
      if (read.ok) return read.document;
      const hint = "Its steps can still be read.";
      throw new ServiceError("not-found", "The workflow as it was at this run is not stored.", hint);
    },
  };
}
