import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { type PostgresServer, startPostgresServer } from "../supabase/functions/_shared/testing/postgres-server.ts";
import { addVectors } from "../supabase/local/database/postgres/testing/vector-stand-in.ts";
import { orderOf } from "../worker/testing/step-servers.ts";
import { startWorkerWorld } from "../worker/testing/worker-world.ts";
import { startStackProcess } from "./faults/stack-process.ts";
import { type Bench, limitRow, type Row } from "./measure.ts";
import { parentOf, processorTime } from "./processor-time.ts";
import { withDescendants } from "./resident-memory.ts";

const stepMs = 20;
const stepsOfRun = 3;
const warmUp = 12;
const runs = 60;
const atOnce = 4;
const passwords = { worker: "test-key-worker-role-0123456789", functions: "test-key-functions-role-0123456789" };
const program = fileURLToPath(new URL("../worker/start-worker.mjs", import.meta.url));

const parts = ["gateway", "functions", "worker", "Postgres"] as const;
type Part = (typeof parts)[number];
/** Milliseconds by part. */
type Shares = Record<Part, number>;

/** What a run on a worker costs, with the functions behind the studio's gateway and with functions of the worker's own. */
export const standAloneBench: Bench = {
  id: "stand-alone",
  title: `Workers with functions of their own: processor time of a run of ${stepsOfRun * 2 + 1} steps, beside a studio on Postgres`,
  async run() {
    if (process.platform !== "linux") throw new Error("Only Linux says what a process has computed.");
    const dataDir = await mkdtemp(join(tmpdir(), "switchyard-alone-"));
    const server = await startPostgresServer();
    await addVectors(server);
    const world = await startWorkerWorld({ stepMs, workers: 0, databaseUrl: server.url, dataDir, log: () => {} });
    const sql = postgres(server.url, { max: 2, onnotice: () => {} });
    try {
      await server.run(`alter role studio_worker login password '${passwords.worker}';
        create role studio_functions login noinherit password '${passwords.functions}';
        grant authenticated, service_role to studio_functions`);
      await world.publish(world.stepAgent({ name: "steps" }));
      await world.stack.stop();
      // In a process of its own, so that its share can be told.
      const studio = await startStackProcess(dataDir, "127.0.0.1", server.url);
      const measured = async (isAlone: boolean) => {
        const worker = await startWorker(server, dataDir, studio.url, isAlone);
        try {
          return await sharesOf(sql, world.user.userId, { studio: studio.pid, worker: worker.pid ?? 0 });
        } finally {
          const ended = once(worker, "exit");
          worker.kill("SIGTERM");
          await ended;
        }
      };
      try {
        const behind = await measured(false);
        const beside = await measured(true);
        return rowsOf(beside, behind);
      } finally {
        await studio.kill("SIGTERM");
      }
    } finally {
      await sql.end({ timeout: 1 });
      await world.servers.stop();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function startWorker(server: PostgresServer, dataDir: string, url: string, isAlone: boolean) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [program], {
    env: {
      PATH,
      HOME,
      DATABASE_URL: server.urlOf("studio_worker", passwords.worker),
      SUPABASE_URL: url,
      STUDIO_KEYS_FILE: join(dataDir, "keys.json"),
      STUDIO_ALLOW_HOSTS: "127.0.0.1",
      ...(isAlone ? { FUNCTIONS_DATABASE_URL: server.urlOf("studio_functions", passwords.functions) } : {}),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line === "The worker is ready.") break;
  child.stdout.resume();
  return child as ChildProcess;
}

/** What each part computes for one run. */
async function sharesOf(sql: postgres.Sql, owner: string, pids: { studio: number; worker: number }): Promise<Shares> {
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const postmaster = parentOf(backend?.pid ?? 0);
  await complete(sql, owner, warmUp);
  const before = spent(pids, postmaster);
  await complete(sql, owner, runs);
  const after = spent(pids, postmaster);
  return Object.fromEntries(parts.map((part) => [part, (after[part] - before[part]) / runs])) as Shares;
}

function spent({ studio, worker }: { studio: number; worker: number }, postmaster: number): Shares {
  const shares: Shares = { gateway: 0, functions: 0, worker: 0, Postgres: 0 };
  for (const pid of withDescendants(studio)) shares[isDeno(pid) ? "functions" : "gateway"] += processorTime(pid);
  for (const pid of withDescendants(worker)) shares[isDeno(pid) ? "functions" : "worker"] += processorTime(pid);
  for (const pid of withDescendants(postmaster)) shares.Postgres += processorTime(pid);
  return shares;
}

function isDeno(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("functions-server.ts");
  } catch {
    return false;
  }
}

/** Starts runs, a few at once, straight in the database, and waits for each. */
async function complete(sql: postgres.Sql, owner: string, count: number): Promise<void> {
  let next = 0;
  const inTurn = async () => {
    while (next < count) {
      next += 1;
      const id = await start(sql, owner, `r${next}`);
      while ((await statusOf(sql, id)) !== "completed") await delay(50);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, inTurn));
}

async function start(sql: postgres.Sql, owner: string, name: string): Promise<string> {
  const input = JSON.stringify({ message: orderOf(name, stepsOfRun) });
  return sql.begin(async (transaction) => {
    await transaction`select set_config('request.jwt.claims', ${JSON.stringify({ sub: owner, role: "authenticated" })}, true),
      set_config('request.jwt.claim.sub', ${owner}, true)`;
    const [row] = await transaction<{ id: string }[]>`
      select public.studio_start_run('steps', 'live', ${input}::text::jsonb) ->> 'id' as id`;
    return row?.id ?? "";
  });
}

async function statusOf(sql: postgres.Sql, id: string): Promise<string> {
  const [row] = await sql<{ status: string; error: unknown }[]>`
    select status, error from public.studio_runs where id = ${id}`;
  if (row?.status === "failed") throw new Error(JSON.stringify(row.error));
  return row?.status ?? "";
}

function rowsOf(beside: Shares, behind: Shares): Row[] {
  const all = (shares: Shares) => parts.reduce((sum, part) => sum + shares[part], 0);
  const row = (name: string, value: number, baseline: number, limit: number): Row => ({
    ...limitRow(name, value, "ms", limit),
    baseline,
    ratio: value / baseline,
  });
  return [
    row("all", all(beside), all(behind), 200),
    row("gateway of the studio", beside.gateway, behind.gateway, 5),
    ...(["functions", "worker", "Postgres"] as const).map((part) =>
      row(part, beside[part], behind[part], Math.round(behind[part] * 1.25)),
    ),
  ];
}
