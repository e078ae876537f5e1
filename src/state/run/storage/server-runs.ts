import { z } from "zod/mini";
import type { RunEvent } from "../../../engine/run/events.ts";
import { EventUnpacker } from "../../../engine/run/stored-events.ts";
import { type ServerRuns, ServiceError } from "../../../services/services.ts";
import { query } from "../../shared/storage/query.ts";
import { eventRow } from "./read-runs.ts";
import { runStatus } from "./run-outcome.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";
import { watchHostedRun } from "./watch-hosted-run.ts";
import { watchRun } from "./watch-run.ts";

const started = z.object({ id: z.string(), status: runStatus });

const queueState = z.object({
  workers: z.number(),
  queued: z.number(),
  running: z.number(),
  waiting: z.number(),
});

const pageSize = 1_000;

/** Starts, cancels and follows runs on workers. */
export function createServerRuns({
  config,
  database,
  realtime,
  send,
}: Pick<SupabaseClient, "config" | "database" | "realtime" | "send">): ServerRuns {
  return {
    watch: (runId, onChange, signal) =>
      config.embedded
        ? watchRun(send, runId, onChange, signal)
        : watchHostedRun({ database, realtime }, runId, onChange, signal),

    async start({ workflowId, target, input, key, forkedFrom }) {
      const answer = await database.rpc("studio_start_run", {
        p_workflow: workflowId,
        p_target: target,
        p_input: input,
        p_key: key,
        p_forked_from: forkedFrom ?? null,
      });
      if (answer.error?.message.includes("not_published") === true) {
        throw new ServiceError(
          "not-found",
          target === "staging" ? "No version of this workflow is in staging." : "This workflow is not published.",
          "Publish it first: the server runs published versions only.",
        );
      }
      return query("start the run", started, Promise.resolve(answer));
    },

    async cancel(runId) {
      const answer = await database.rpc("studio_cancel_run", { p_run_id: runId });
      if (answer.error?.message.includes("run_not_found") === true) {
        const hint = "It was deleted, or it belongs to another account.";
        throw new ServiceError("not-found", "This run does not exist.", hint);
      }
      return query("cancel the run", runStatus, Promise.resolve(answer));
    },

    queue: () => query("look at the queue", queueState, database.rpc("studio_queue_state", {})),

    reader(runId) {
      const unpacker = new EventUnpacker();
      let last = -1;
      const read = async (): Promise<RunEvent[]> => {
        const all: RunEvent[] = [];
        for (;;) {
          const rows = database
            .from("studio_run_events")
            .select("event")
            .eq("run_id", runId)
            .gt("seq", last)
            .order("seq")
            .limit(pageSize);
          const page = await query("follow the run", z.array(eventRow), rows);
          for (const event of page) all.push(unpacker.unpack(event));
          last = page.at(-1)?.seq ?? last;
          if (page.length < pageSize) return all;
        }
      };
      return Promise.resolve({ read });
    },
  };
}
