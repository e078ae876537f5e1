import type { RunRepository } from "../services/services.ts";
import { execute } from "./query.ts";
import { asRow } from "./run-rows.ts";
import type { SupabaseClient } from "./supabase-client.ts";

/** Writes runs into `studio_runs` and their events into `studio_run_events`. */
export function recordRuns({
  database,
}: Pick<SupabaseClient, "database">): Pick<RunRepository, "start" | "appendEvents" | "finish"> {
  const runs = () => database.from("studio_runs");
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
            ...(run.isTrial ? { is_trial: true } : {}),
            ...(run.forkedFrom ? { forked_from: run.forkedFrom } : {}),
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
        database.from("studio_run_events").upsert(rows, { onConflict: "run_id,seq", ignoreDuplicates: true }),
      );
    },

    finish: (runId, end) =>
      execute(
        "record the run's end",
        runs()
          .update({
            status: end.status,
            // Nothing takes no room, also where an account has none left.
            output: end.output === null ? null : asRow(end.output),
            error: end.error,
            ...(end.ending ? { ending: end.ending } : {}),
            total_tokens: end.totalTokens,
            cost_usd: end.costUsd,
            ended_at: new Date(end.endedAt).toISOString(),
            ...(end.spending ? { usage: end.spending } : {}),
          })
          .eq("id", runId),
      ),
  };
}
