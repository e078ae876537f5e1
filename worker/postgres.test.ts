import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer as createHttpServer, type Server } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RunEvent } from "../src/engine/run/events.ts";
import { passOn } from "./testing/pass-on.ts";
import { startQueueOnPostgres } from "./testing/queue-on-postgres.ts";
import { repeatedSteps } from "./testing/repeated-steps.ts";
import { startSignedGateway } from "./testing/signed-gateway.ts";
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

async function startWorker(environment: Record<string, string> = {}): Promise<ChildProcess> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [processFile], {
    env: {
      PATH,
      HOME,
      DATABASE_URL: queue.workerUrl,
      SUPABASE_URL: world.stack.innerUrl,
      SUPABASE_PUBLISHABLE_KEY: world.stack.key,
      SUPABASE_JWT_SECRET: world.stack.jwtSecret,
      ...environment,
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

it(
  "S11 a worker that has a project's private key signs with it what its runs ask",
  async () => {
    for (const worker of workers) if (worker.exitCode === null) worker.kill("SIGTERM");
    const gateway = await startSignedGateway(world.stack);
    try {
      await startWorker({ SUPABASE_URL: gateway.url, SUPABASE_JWT_KEY: gateway.key, SUPABASE_JWT_SECRET: "" });
      const id = await queue.start({ message: orderOf("pg-signed", 2) });
      expect(await completed(id)).toMatchObject({ attempt: 1, output: { value: { response: "pg-signed is done" } } });
      expect(gateway.taken()).toBeGreaterThan(4);
    } finally {
      await gateway.stop();
    }
  },
  patience,
);

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

it(
  "S80 a worker that is told to stop in the middle of a long call gives its run back itself, and tells its figures until then",
  async () => {
    for (const child of workers.splice(0)) {
      const exit = once(child, "exit");
      if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) await exit;
    }
    const keys = join(world.stack.dataDir, "worker-keys.json");
    await writeFile(keys, JSON.stringify({ publishableKey: world.stack.key, jwtSecret: world.stack.jwtSecret }));
    const port = await freePort();
    const ownKeys = { SUPABASE_PUBLISHABLE_KEY: "", SUPABASE_JWT_SECRET: "", STUDIO_KEYS_FILE: keys };
    const worker = await startWorker({ ...ownKeys, WORKER_HEALTH_PORT: String(port) });
    const id = await queue.start({ message: "speak 20000 words" });
    await world.eventually(async () => (await events(id)).find(({ type }) => type === "text-delta"));
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics.split("\n")).toEqual(
      expect.arrayContaining(['switchyard_runs{state="running"} 1', "switchyard_worker_runs 1"]),
    );
    for (const name of [world.user.userId, id, "steps"]) expect(metrics).not.toContain(name);
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
    const exit = once(worker, "exit");
    worker.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
    expect(await row(id)).toMatchObject({ status: "queued", worker: null, lost: 0, attempt: 1 });
    await queue.rows("update public.studio_runs set status = 'cancelled' where id = $1", id);
  },
  patience,
);

/** The world's API at a port of its own, with a connection for each request. */
async function openApi(port: number): Promise<Server> {
  const api = createHttpServer((request, response) => {
    response.shouldKeepAlive = false;
    void text(request).then((body) => passOn(request, response, { origin: world.stack.innerUrl, body }));
  });
  await once(api.listen(port, "127.0.0.1"), "listening");
  return api;
}

/** Answers what is under way, and nothing more. */
const closeApi = (api: Server) => new Promise((resolve) => api.close(resolve));

it(
  "a worker whose API is away takes no run and says that it is not ready, and runs that it has wait until the API answers",
  async () => {
    const [port, health] = [await freePort(), await freePort()];
    const readiness = async () => (await fetch(`http://127.0.0.1:${health}/ready`)).status;
    const begun = new Date().toISOString();
    await startWorker({ SUPABASE_URL: `http://127.0.0.1:${port}`, WORKER_HEALTH_PORT: String(health) });
    const id = await queue.start({ message: orderOf("pg-away", 12) });
    // It is at work: it has told the database so.
    await world.eventually(
      async () => (await queue.rows("select from private.studio_workers where seen_at > $1", begun))[0],
    );
    expect(await readiness()).toBe(503);
    expect(await row(id)).toMatchObject({ status: "queued", attempt: 0 });

    let api = await openApi(port);
    let closing: Promise<unknown> | undefined;
    // In the middle of a call, which is answered.
    world.servers.onToolHit = ({ run, step }) => {
      if (run === "pg-away" && step === 4) closing ??= closeApi(api);
    };
    try {
      await world.eventually(async () => (closing && (await readiness()) === 503 ? true : undefined));
      expect(await row(id)).toMatchObject({ status: "running", attempt: 1 });
      await closing;
      api = await openApi(port);
      expect(await completed(id)).toMatchObject({ attempt: 1, output: { value: { response: "pg-away is done" } } });
      expect((await events(id)).filter((event) => event.type === "tool-call-end" && !event.ok)).toEqual([]);
    } finally {
      world.servers.onToolHit = undefined;
      for (const child of workers.splice(0)) child.kill("SIGKILL");
      await closeApi(api);
    }
  },
  patience,
);

it("S11 a worker with another studio's keys does not start, and says why", async () => {
  const child = spawn(process.execPath, [processFile], {
    env: {
      PATH: process.env["PATH"],
      DATABASE_URL: queue.workerUrl,
      SUPABASE_URL: world.stack.innerUrl,
      SUPABASE_PUBLISHABLE_KEY: world.stack.key,
      SUPABASE_JWT_SECRET: "test-key-of-another-studio-0123456789",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  workers.push(child);
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(code).toBe(1);
  expect(said).toContain("refuses the keys of this worker");
  expect(said).not.toContain("test-key");
});

it("S81 the workers' role can call the workers' functions and read no table", async () => {
  const rights = await queue.rows(
    `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'private', 'auth') and c.relkind in ('r', 'p')
       and has_table_privilege('studio_worker', c.oid, 'select, insert, update, delete')`,
  );
  expect(rights).toEqual([]);
});
