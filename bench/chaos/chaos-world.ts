import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { type PostgresServer, startPostgresServer } from "../../supabase/functions/_shared/testing/postgres-server.ts";
import { addVectors } from "../../supabase/local/database/postgres/testing/vector-stand-in.ts";
import { startWorkerWorld, type WorkerWorld } from "../../worker/testing/worker-world.ts";
import { type KeptWorker, startKeptWorker } from "./kept-worker.ts";
import { type StallingProxy, startStallingProxy } from "./stalling-proxy.ts";

/** A studio and two workers of their own, all of which reach a PostgreSQL server by a way that can stall. */
export interface ChaosWorld {
  world: WorkerWorld;
  server: PostgresServer;
  proxy: StallingProxy;
  workers: readonly [KeptWorker, KeptWorker];
  /** Straight to the server, past the proxy, as its superuser. */
  sql: postgres.Sql;
  /** The workflow whose runs are the load. */
  slug: string;
  stop(): Promise<void>;
}

const workerPassword = "test-key-worker-role-0123456789";
/** A step waits for this long, so that the rate depends on how many runs go on and not on what else the machine does. */
const stepMs = 400;
/** Runs of a worker at once: low enough for the rate to stand and fall with the workers. */
const runsAtOnce = 3;

export async function startChaosWorld(): Promise<ChaosWorld> {
  const directory = await mkdtemp(join(tmpdir(), "switchyard-chaos-"));
  const server = await startPostgresServer();
  const proxy = await startStallingProxy(server.port);
  const byProxy = (url: string) => url.replace(`:${server.port}/`, `:${proxy.port}/`);
  const closing: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  const stop = async () => {
    proxy.flow();
    for (const close of closing.toReversed()) await close();
  };
  closing.push(
    () => server.stop(),
    () => proxy.stop(),
  );
  try {
    await addVectors(server);
    const world = await startWorkerWorld({
      workers: 0,
      stepMs,
      databaseUrl: byProxy(server.url),
      dataDir: join(directory, "studio"),
    });
    closing.push(() => world.stop());
    await server.run(`alter role studio_worker login password '${workerPassword}'`);
    const slug = `load-${randomUUID().slice(0, 8)}`;
    await world.publish(world.stepAgent({ name: slug }));
    const environment = {
      DATABASE_URL: byProxy(server.urlOf("studio_worker", workerPassword)),
      SUPABASE_URL: world.stack.innerUrl,
      SUPABASE_PUBLISHABLE_KEY: world.stack.key,
      SUPABASE_JWT_SECRET: world.stack.jwtSecret,
      WORKER_CONCURRENCY: String(runsAtOnce),
    };
    const first = await startKeptWorker(environment);
    closing.push(() => first.stop());
    const second = await startKeptWorker(environment);
    closing.push(() => second.stop());
    const sql = postgres(server.url, { max: 4, onnotice: () => undefined });
    closing.push(() => sql.end({ timeout: 1 }));
    return { world, server, proxy, workers: [first, second], sql, slug, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
