import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTestClient, signUp, type SignedIn } from "../../supabase/local/testing/clients.ts";
import { killDatabase, writeMeanwhile } from "../../supabase/local/testing/faults.ts";
import { cutPowerAfter, numbersIn } from "../../supabase/local/testing/power-cut.ts";
import type { FaultCheck, FaultWorld } from "./fault-world.ts";
import { startStackProcess } from "./stack-process.ts";

const writers = new WeakMap<FaultWorld, Promise<SignedIn>>();

/** The database is killed in the middle of writes: what was acknowledged is there when it is back. */
export const databaseKilled: FaultCheck = {
  name: "writes while the database is killed",
  async round(world, index) {
    const { stack } = world;
    const writer = await (writers.get(world) ?? keep(world, signUp(stack)));
    // Since the last round the database has only just come back.
    let before = 0;
    while (before === 0) before = (await writeMeanwhile(writer, sleep(50))).length;
    const killed = (async () => {
      await sleep(100 + 37 * (index % 10));
      killDatabase(stack);
      await sleep(500);
    })();
    const names = await writeMeanwhile(writer, killed);
    const kept = await stack.sql<{ name: string }>("select name from public.studio_workflows where name = any ($1)", [
      names,
    ]);
    return names.length > 0 && kept.length === names.length;
  },
};

function keep(world: FaultWorld, writer: Promise<SignedIn>): Promise<SignedIn> {
  writers.set(world, writer);
  return writer;
}

/** Everything is killed while somebody writes, again and again on one data directory. */
export function everythingKilled(): FaultCheck & { end(): Promise<void> } {
  const acknowledged: string[] = [];
  const account = { email: `${randomUUID()}@example.test`, password: `test-password-${randomUUID()}` };
  let directory: string | undefined;
  return {
    name: "writes while everything is killed",
    async round(_world, index) {
      directory ??= await mkdtemp(join(tmpdir(), "switchyard-kill-"));
      const running = await startStackProcess(directory);
      const { auth } = createTestClient(running);
      const client = createTestClient(running);
      if (index === 0) await auth.signUp(account);
      await client.auth.signInWithPassword(account);
      const { data } = await client.from("studio_workflows").select("name").in("name", acknowledged.slice(-300));
      const before = acknowledged.slice(-300).length;
      const until = Date.now() + 150 + 53 * (index % 8);
      for (let count = 0; Date.now() < until; count += 1) {
        const name = `round ${index} write ${count}`;
        const { error } = await client.from("studio_workflows").insert({ name, document: {} });
        if (!error) acknowledged.push(name);
      }
      await running.kill("SIGKILL");
      return data?.length === before;
    },
    async end() {
      if (directory !== undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The power is cut, also in the first moments of a new data directory. */
export const powerCut: FaultCheck = {
  name: "numbers that were acknowledged before a power cut",
  async round(_world, index) {
    const root = await mkdtemp(join(tmpdir(), "switchyard-power-"));
    try {
      const remains = join(root, "remains");
      const acknowledged = await cutPowerAfter(1 + 7 * index, join(root, "data"), remains);
      const kept = await numbersIn(remains);
      return acknowledged.length > 0 && acknowledged.every((number) => kept.has(number));
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
};
