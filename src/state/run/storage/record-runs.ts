import type { RunEnd, RunRepository } from "../../../services/services.ts";
import { execute } from "../../shared/storage/query.ts";
import { asRow } from "./run-rows.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

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
      const written = database.rpc("studio_record_run", { p_run_id: runId, p_events: events });
      await execute("record what happened in the run", written);
    },

    finish(runId, end, events = []) {
      const written = database.rpc("studio_record_run", { p_run_id: runId, p_events: events, p_end: endRow(end) });
      return execute("record the run's end", written);
    },
  };
}

function endRow({ status, output, error, ending, totalTokens, costUsd, endedAt, spending }: RunEnd) {
  return {
    status,
    // Nothing takes no room, also where an account has none left.
    output: output === null ? null : asRow(output),
    error,
    ...(ending ? { ending } : {}),
    total_tokens: totalTokens,
    cost_usd: costUsd,
    ended_at: new Date(endedAt).toISOString(),
    ...(spending ? { usage: spending } : {}),
  };
}
