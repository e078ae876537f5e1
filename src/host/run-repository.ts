import { z } from "zod";
import { readDocument } from "../engine/document/read-document.ts";
import { isJsonObject, type Json } from "../engine/json.ts";
import { type RunErrorData, runErrorCodes } from "../engine/run/errors.ts";
import type { RunEvent } from "../engine/run/events.ts";
import { type RunRepository, type RunSummary, ServiceError } from "../stores/services.ts";
import { execute, query } from "./query.ts";
import type { SupabaseClient } from "./supabase-client.ts";

const json = z.json() as z.ZodType<Json>;

const errorData: z.ZodType<RunErrorData> = z.object({
  code: z.enum(runErrorCodes),
  message: z.string(),
  hint: z.string(),
  retryable: z.boolean(),
  nodeId: z.string().optional(),
  retryAfterMs: z.number().optional(),
  cause: json.optional(),
});

/**
 * Any JSON value as a jsonb column takes it from every PostgREST: the embedded one reads a plain text as JSON source, and
 * so refuses most.
 */
const carried = z.object({ value: json });

function asRow(value: Json): z.infer<typeof carried> {
  return { value };
}

const summaryRow = z
  .object({
    id: z.string(),
    workflow_id: z.string(),
    status: z.enum(["running", "completed", "failed", "cancelled", "interrupted"]),
    input: carried.catch({ value: null }),
    output: carried.nullable().catch(null),
    error: errorData.nullable().catch(null),
    total_tokens: z.number().nullable(),
    // Postgres's numeric comes as a number or, to keep every digit, as text.
    cost_usd: z.coerce.number().nullable(),
    started_at: z.string(),
    ended_at: z.string().nullable(),
  })
  .transform((row): RunSummary => ({
    id: row.id,
    workflowId: row.workflow_id,
    status: row.status,
    input: row.input.value,
    output: row.output?.value ?? null,
    error: row.error,
    totalTokens: row.total_tokens,
    costUsd: row.cost_usd,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }));

/** Events were written by this studio; that they are envelopes is all that can be checked without stating each again. */
const eventRow = z.object({ event: z.custom<RunEvent>(isEvent) }).transform((row) => row.event);

function isEvent(value: unknown): boolean {
  return isJsonObject(value) && typeof value.type === "string" && typeof value.seq === "number";
}

const summaryColumns = "id,workflow_id,status,input,output,error,total_tokens,cost_usd,started_at,ended_at";

/** PostgREST gives at most this many rows per request unless it is told otherwise. */
const pageSize = 1_000;

/** Runs and their events in `studio_runs` and `studio_run_events`. */
export function createRunRepository({ database }: SupabaseClient): RunRepository {
  const runs = () => database.from("studio_runs");
  const eventRows = () => database.from("studio_run_events");

  return {
    start: (run) =>
      execute(
        "record the run",
        runs().upsert(
          {
            id: run.id,
            workflow_id: run.workflowId,
            status: "running",
            input: asRow(run.input),
            document: run.document,
            started_at: new Date(run.startedAt).toISOString(),
          },
          { onConflict: "id", ignoreDuplicates: true },
        ),
      ),

    async appendEvents(runId, events) {
      if (events.length === 0) return;
      const rows = events.map((event) => ({
        run_id: runId,
        seq: event.seq,
        at: new Date(event.at).toISOString(),
        type: event.type,
        event,
      }));
      await execute(
        "record what happened in the run",
        eventRows().upsert(rows, { onConflict: "run_id,seq", ignoreDuplicates: true }),
      );
    },

    finish: (runId, end) =>
      execute(
        "record the run's end",
        runs()
          .update({
            status: end.status,
            output: asRow(end.output),
            error: end.error,
            total_tokens: end.totalTokens,
            cost_usd: end.costUsd,
            ended_at: new Date(end.endedAt).toISOString(),
          })
          .eq("id", runId),
      ),

    list: (workflowId, limit) =>
      query(
        "list the runs",
        z.array(summaryRow),
        runs()
          .select(summaryColumns)
          .eq("workflow_id", workflowId)
          .order("started_at", { ascending: false })
          .limit(limit),
      ),

    async events(runId) {
      const all: RunEvent[] = [];
      for (;;) {
        const page = await query(
          "load the run",
          z.array(eventRow),
          eventRows()
            .select("event")
            .eq("run_id", runId)
            .order("seq")
            .range(all.length, all.length + pageSize - 1),
        );
        all.push(...page);
        if (page.length < pageSize) return all;
      }
    },

    async document(runId) {
      const rows = await query(
        "load the run's workflow",
        z.array(z.object({ document: z.unknown() })),
        runs().select("document").eq("id", runId),
      );
      const read = readDocument(rows[0]?.document);
      if (read.ok) return read.document;
      const hint = "Its steps can still be read.";
      throw new ServiceError("not-found", "The workflow as it was at this run is not stored.", hint);
    },
  };
}
