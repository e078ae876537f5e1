import { randomUUID } from "node:crypto";
import { orderOf } from "../../worker/testing/step-servers.ts";
import { signUp } from "../../supabase/local/testing/clients.ts";
import type { ChaosWorld } from "./chaos-world.ts";

/** An account with more queued runs than it may have going on. */
export interface CrowdingAccount {
  /** Whether all its runs are there and no more than one at a time goes on. */
  faults(): Promise<string[]>;
}

/** How many start at the same time. */
const atOnce = 3;

/** Publishes a workflow of a new account, of which one run at a time may go on, and starts it `runs` times. */
export async function crowd({ world, sql }: ChaosWorld, runs: number): Promise<CrowdingAccount> {
  const user = await signUp(world.stack);
  const credential = await world.saveCredential(user);
  const name = `crowd-${randomUUID().slice(0, 8)}`;
  const workflow = await world.publish(world.stepAgent({ name, credential }), { concurrent: 1 }, user);
  let next = 0;
  const starting = async () => {
    while (next < runs) {
      const input = { message: orderOf(`crowd-${(next += 1)}`, 0) };
      await sql`select private.studio_queue_run(${workflow}, 'live', ${sql.json(input)}, 'api', null, null, null)`;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, starting));
  return {
    async faults() {
      const [found] = await sql<{ all: number; failed: number; going: number }[]>`
        select count(*)::integer as all, (count(*) filter (where status = 'failed'))::integer as failed,
          (count(*) filter (where status = 'running'))::integer as going
        from public.studio_runs where workflow_id = ${workflow}`;
      const { all = 0, failed = 0, going = 0 } = found ?? {};
      return [
        ...(all === runs ? [] : [`${all} of ${runs} runs are there`]),
        ...(failed === 0 ? [] : [`${failed} runs failed`]),
        ...(going <= 1 ? [] : [`${going} runs go on at once instead of 1`]),
      ];
    },
  };
}
