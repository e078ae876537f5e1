import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RunEvent } from "../src/engine/run/events.ts";
import { startQueueOnPostgres } from "./testing/queue-on-postgres.ts";
import { repeatedSteps } from "./testing/repeated-steps.ts";
import { orderOf } from "./testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "./testing/worker-world.ts";

const patience = 300_000;
const processFile = fileURLToPath(new URL("worker-process.mjs", import.meta.url));

let world: WorkerWorld;
let queue: Awaited<ReturnType<typeof startQueueOnPostgres>>;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  // Its API and functions serve workers that have their queue on a real PostgreSQL.
  world = await startWorkerWorld({ workers: 0, stepMs: 20 });
  queue = await startQueueOnPostgres(world.user.userId, world.stepAgent({ name: "steps" }));
}, patience);
afterAll(async () => {
  for (const worker of workers) worker.kill("SIGKILL");
  await queue.stop();
  await world.stop();
});

async function startWorker(): Promise<ChildProcess> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [processFile], {
    env: {
      PATH,
      HOME,
      DATABASE_URL: queue.workerUrl,
      SUPABASE_URL: world.stack.innerUrl,
      SUPABASE_PUBLISHABLE_KEY: world.stack.key,
      SUPABASE_JWT_SECRET: world.stack.jwtSecret,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  workers.push(child);
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) if (line === "The worker is ready.") break;
  child.stdout.resume();
  return child;
}

async function row(id: string): Promise<Record<string, unknown>> {
  const [found] = await queue.rows("select * from public.studio_runs where id = $1", id);
  return found ?? {};
}

async function events(id: string): Promise<RunEvent[]> {
  const rows = await queue.rows("select event from public.studio_run_events where run_id = $1 order by seq", id);
  return rows.map(({ event }) => event as RunEvent);
}

const completed = (id: string) =>
  world.eventually(async () => {
    const found = await row(id);
    if (found["status"] === "failed") throw new Error(JSON.stringify(found["error"]));
    return found["status"] === "completed" ? found : undefined;
  });

/** Waits until some of a run's steps are stored. */
const inTheMiddle = (id: string) =>
  world.eventually(async () =>
    (await events(id)).filter(({ type }) => type === "tool-call-end").length >= 3 ? true : undefined,
  );

it(
  "S80 workers on other machines share a PostgreSQL: one is killed, one is asked to stop, and each time the other goes on",
  async () => {
    const first = await startWorker();
    const killed = await queue.start({ message: orderOf("pg-killed", 12) });
    await inTheMiddle(killed);
    first.kill("SIGKILL");
    const second = await startWorker();
    expect(await completed(killed)).toMatchObject({ attempt: 2 });
    expect(repeatedSteps(await events(killed), "pg-killed", world.servers)).toEqual([]);

    const stopped = await queue.start({ message: orderOf("pg-stopped", 12) });
    await inTheMiddle(stopped);
    const exit = once(second, "exit");
    second.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
    await startWorker();
    expect(await completed(stopped)).toMatchObject({ attempt: 2 });
    const log = await events(stopped);
    expect(log.filter(({ type }) => type === "tool-call-end")).toHaveLength(12);
    expect(repeatedSteps(log, "pg-stopped", world.servers)).toEqual([]);
  },
  patience,
);

it("S81 the workers' role can call the workers' functions and read no table", async () => {
  const rights = await queue.rows(
    `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'private', 'auth') and c.relkind = 'r'
       and has_table_privilege('studio_worker', c.oid, 'select, insert, update, delete')`,
  );
  expect(rights).toEqual([]);
});
