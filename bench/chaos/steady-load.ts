import { setTimeout as delay } from "node:timers/promises";
import { overlaps } from "../../worker/testing/kill-rounds.ts";
import { repeatedSteps } from "../../worker/testing/repeated-steps.ts";
import { orderOf } from "../../worker/testing/step-servers.ts";
import type { ChaosWorld } from "./chaos-world.ts";

/** Runs that are started one after the other, so that workers always find some. */
export interface SteadyLoad {
  /** How many model answers of these runs came in a second, between two moments of `Date.now()`. */
  rate(from: number, to: number): number;
  /** Starts no more, waits for all that were acknowledged, and gives what went wrong, in words. */
  end(): Promise<string[]>;
}

const steps = 1;
/** As many are queued ahead of the workers. */
const ahead = 8;

export function startSteadyLoad(chaos: ChaosWorld, name: string): SteadyLoad {
  const { world, slug, sql } = chaos;
  const acknowledged = new Map<string, string>();
  const over = new AbortController();
  const starting = (async () => {
    for (let count = 0; !over.signal.aborted;) {
      const run = `${name}-${count}`;
      // The same key until it is acknowledged: asked twice, it is one run all the same.
      const { data, error } = await world.user.client.rpc("studio_start_run", {
        p_workflow: slug,
        p_target: "live",
        p_input: { message: orderOf(run, steps) },
        p_key: run,
      });
      if (error) {
        await delay(200);
        continue;
      }
      acknowledged.set(String((data as { id: unknown }).id), run);
      count += 1;
      const done = world.servers.modelHits.filter((hit) => hit.step === steps && hit.run.startsWith(`${name}-`)).length;
      if (count - done > ahead + 6) await delay(100);
    }
  })();

  return {
    rate(from, to) {
      const answers = world.servers.modelHits.filter(({ at, step }) => step === steps && at >= from && at < to);
      return (answers.length / (to - from)) * 1_000;
    },
    async end() {
      over.abort();
      await starting;
      const faults: string[] = [];
      for (const [id, run] of acknowledged) {
        for (;;) {
          const [row] = await sql<{ status: string; error: unknown }[]>`
            select status, error from public.studio_runs where id = ${id}`;
          if (row === undefined) faults.push(`${run} is lost`);
          else if (row.status === "failed") faults.push(`${run} failed: ${JSON.stringify(row.error)}`);
          if (row === undefined || ["completed", "failed", "cancelled"].includes(row.status)) break;
          await delay(200);
        }
        const events = (await sql`select event from public.studio_run_events where run_id = ${id} order by seq`).map(
          ({ event }) => event,
        );
        const ended = events.filter(({ type }) => type === "tool-call-end").length;
        if (ended !== steps) faults.push(`${run} has ${ended} finished steps instead of ${steps}`);
        faults.push(...repeatedSteps(events, run, world.servers).map((what) => `${what} was made again`));
        if (overlaps(events).length > 0) faults.push(`${run} was run by two`);
        const calls = world.servers.toolHits.filter((hit) => hit.run === run).length;
        const marked = events.filter((event) => event.type === "write-start" && event.again !== undefined).length;
        if (calls > steps + marked) faults.push(`${run} made ${calls} calls and marked ${marked} as made again`);
      }
      const [stored] = await sql<{ runs: number }[]>`
        select count(*)::integer as runs from public.studio_runs where idempotency_key like ${`${name}-%`}`;
      // One start may have been made whose acknowledgement never came.
      const most = acknowledged.size + 1;
      if ((stored?.runs ?? 0) > most) faults.push(`${stored?.runs} runs instead of ${most}`);
      return faults;
    },
  };
}
