import { z } from "zod/mini";
import { defaultRetention, type RunRepository } from "../../../services/services.ts";
import { execute, query } from "../../shared/storage/query.ts";
import { readRuns } from "./read-runs.ts";
import { recordRuns } from "./record-runs.ts";
import { costRow, retentionRow, toCosts } from "./run-rows.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

const retentionName = "run-retention";

/** An address holds this many ids well. */
const idsPerRequest = 100;

/** Runs and their events in `studio_runs` and `studio_run_events`. */
export function createRunRepository({ database }: Pick<SupabaseClient, "database">): RunRepository {
  const settings = () => database.from("studio_settings");
  const prune = () => query("delete old runs", z.number(), database.rpc("studio_prune_runs", {}));

  return {
    ...recordRuns({ database }),
    ...readRuns({ database }),

    async remove(runIds) {
      for (let start = 0; start < runIds.length; start += idsPerRequest) {
        const ids = runIds.slice(start, start + idsPerRequest);
        await execute("delete the runs", database.from("studio_runs").delete().in("id", ids));
      }
    },

    removeAll: (filter) =>
      query("delete the runs", z.number(), database.rpc("studio_delete_runs", { p_filter: filter })),

    async retention() {
      const [own] = await query(
        "read how long runs are kept",
        z.array(retentionRow),
        settings().select("value").eq("name", retentionName),
      );
      return own ?? defaultRetention;
    },

    async setRetention({ keepDays, keepRuns }) {
      const row = { name: retentionName, value: { keepDays, keepRuns } };
      await execute("change how long runs are kept", settings().upsert(row, { onConflict: "owner,name" }));
      await prune();
    },

    prune,

    async costs({ from, to, timeZone, most }) {
      const range = { p_from: from, p_to: to, p_time_zone: timeZone, p_most: most };
      return toCosts(await query("read what runs cost", z.array(costRow), database.rpc("studio_run_costs", range)));
    },
  };
}
