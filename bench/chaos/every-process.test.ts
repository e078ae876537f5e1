import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod/mini";
import type { RunEvent } from "../../src/engine/run/events.ts";
import { type PostgresServer, startPostgresServer } from "../../supabase/functions/_shared/testing/postgres-server.ts";
import { addVectors } from "../../supabase/local/database/postgres/testing/vector-stand-in.ts";
import { createTestClient } from "../../supabase/local/testing/clients.ts";
import { overlaps } from "../../worker/testing/kill-rounds.ts";
import { repeatedSteps } from "../../worker/testing/repeated-steps.ts";
import { orderOf } from "../../worker/testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "../../worker/testing/worker-world.ts";
import { type StackProcess, startStackProcess } from "../faults/stack-process.ts";
import { parentOf } from "../processor-time.ts";
import { withDescendants } from "../resident-memory.ts";
import { type KeptWorker, startKeptWorker } from "./kept-worker.ts";

const patience = 600_000;
const passwords = { worker: "test-key-worker-role-0123456789", functions: "test-key-functions-role-0123456789" };
const workerCount = 4;
/** Steps between one kill and the next. */
const stride = 2;

let dataDir: string;
let server: PostgresServer;
let world: WorkerWorld;
let studio: StackProcess;
let sql: postgres.Sql;
const workers: KeptWorker[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "switchyard-every-"));
  server = await startPostgresServer();
  await addVectors(server);
  world = await startWorkerWorld({ workers: 0, databaseUrl: server.url, dataDir, log: () => undefined });
  await world.publish(world.stepAgent({ name: "steps" }));
  await world.stack.stop();
  await server.run(`alter role studio_worker login password '${passwords.worker}';
    create role studio_functions login noinherit password '${passwords.functions}';
    grant authenticated, service_role to studio_functions`);
  sql = postgres(server.url, { max: 1, onnotice: () => undefined });
  studio = await startStudio();
  for (let count = 0; count < workerCount; count += 1) {
    workers.push(
      await startKeptWorker({
        DATABASE_URL: server.urlOf("studio_worker", passwords.worker),
        FUNCTIONS_DATABASE_URL: server.urlOf("studio_functions", passwords.functions),
        SUPABASE_URL: studio.url,
        STUDIO_KEYS_FILE: join(dataDir, "keys.json"),
        STUDIO_ALLOW_HOSTS: "127.0.0.1",
      }),
    );
  }
}, patience);

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await studio?.kill("SIGKILL");
  await sql?.end({ timeout: 1 });
  await world?.servers.stop();
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const startStudio = () => startStackProcess(dataDir, "127.0.0.1", server.url);

/** The process that runs workflows and has this run; its name says which one that is. */
function holderOf(run: string): Promise<number> {
  return world.eventually(async () => {
    const [row] = await sql<{ worker: string | null }[]>`
      select worker from public.studio_runs where id = ${run} and status = 'running' and lease_until > now()`;
    const pid = Number(row?.worker?.split(" ").at(-2));
    return pid > 0 && parentOf(pid) > 0 ? pid : undefined;
  });
}

function functionsOf(worker: number): number[] {
  return withDescendants(worker).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("functions-server.ts");
    } catch {
      return false;
    }
  });
}

const kill = (pids: readonly number[]) => pids.forEach((pid) => process.kill(pid, "SIGKILL"));

it.skipIf(process.platform !== "linux")(
  "S80 a run on a studio on PostgreSQL with four workers ends well while each of their processes is killed in turn",
  async () => {
    const kills: ((run: string) => Promise<unknown> | void)[] = [
      async (run) => kill([await holderOf(run)]),
      async (run) => kill(functionsOf(parentOf(await holderOf(run)))),
      ...workers.map((worker) => () => kill([worker.pid])),
      async (run) => kill([parentOf(await holderOf(run))]),
      () => server.restart(() => Promise.resolve()),
      async () => {
        await studio.kill("SIGKILL");
        studio = await startStudio();
      },
    ];
    const steps = (kills.length + 1) * stride;
    const { email, password } = world.user;
    const client = createTestClient(studio);
    expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull();
    const { data } = await client.rpc("studio_start_run", {
      p_workflow: "steps",
      p_target: "live",
      p_input: { message: orderOf("every", steps) },
    });
    const { id } = z.object({ id: z.string() }).parse(data);
    for (const [index, happen] of kills.entries()) {
      await world.eventually(() =>
        world.servers.toolHits.some(({ step }) => step >= (index + 1) * stride) ? true : undefined,
      );
      await happen(id);
    }
    const row = await world.eventually(async () => {
      const [found] = await sql<{ status: string; error: unknown }[]>`
        select status, error from public.studio_runs where id = ${id} and status in ('completed', 'failed', 'waiting')`;
      return found;
    });
    expect(row).toEqual({ status: "completed", error: null });
    const events = (
      await sql<{ event: RunEvent }[]>`select event from public.studio_run_events where run_id = ${id} order by seq`
    ).map(({ event }) => event);
    expect(events.filter(({ type }) => type === "tool-call-end")).toHaveLength(steps);
    expect(repeatedSteps(events, "every", world.servers)).toEqual([]);
    expect(overlaps(events)).toEqual([]);
  },
  patience,
);
