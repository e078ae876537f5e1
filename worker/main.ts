import { hostname } from "node:os";
import { rememberTokens, signAccountToken } from "./account-tokens.ts";
import { type StudioMessage, usualConcurrency } from "./messages.ts";
import { startHealthServer } from "./health.ts";
import { openPostgresDoor } from "./postgres-door.ts";
import { openStudioDoor, tellStudio } from "./studio-door.ts";
import { startWorker } from "./worker.ts";

/** Milliseconds for calls under way to end when the worker is asked to stop. */
const graceMs = 3_000;

/** A worker that the studio started: everything comes over IPC. */
function serveStudio(): void {
  const { door, askToken } = openStudioDoor();
  let worker: ReturnType<typeof startWorker> | undefined;
  // Without the studio there is no database: what was stored is safe, and the next worker goes on with it.
  process.once("disconnect", () => process.exit(0));
  // Ctrl-C is for the studio to handle, in order.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  process.on("message", (message: StudioMessage) => {
    if (message.kind === "start" && !worker) {
      const log = (line: string) => tellStudio({ kind: "log", line });
      worker = startWorker({
        ...message,
        id: message.worker,
        door,
        tokens: rememberTokens(askToken),
        live: {
          tell: (run, news) => tellStudio({ kind: "live", run, news }),
          leave: (run) => tellStudio({ kind: "left", run }),
        },
        log,
      });
    } else if (message.kind === "stop") {
      void (worker?.stop(graceMs) ?? Promise.resolve()).finally(() => process.exit(0));
    }
  });
  tellStudio({ kind: "ready" });
}

/** A worker of its own beside a Postgres. */
async function serveDatabase(databaseUrl: string): Promise<void> {
  const log = (line: string) => console.log(line);
  const url = required("SUPABASE_URL").replace(/\/+$/, "");
  const publishableKey = process.env["SUPABASE_PUBLISHABLE_KEY"] ?? required("SUPABASE_ANON_KEY");
  const jwtSecret = required("SUPABASE_JWT_SECRET");
  const concurrency = Number(process.env["WORKER_CONCURRENCY"] ?? usualConcurrency);
  if (!Number.isInteger(concurrency) || concurrency < 1) throw new Error("WORKER_CONCURRENCY is a number above 0.");
  const door = await openPostgresDoor(databaseUrl, log);
  // Secrets are of no use to anything that comes later.
  for (const name of ["DATABASE_URL", "SUPABASE_JWT_SECRET"]) delete process.env[name];
  const worker = startWorker({
    id: `${hostname()} ${process.pid} ${Date.now().toString(36)}`,
    door,
    tokens: rememberTokens((owner) => signAccountToken(owner, jwtSecret)),
    url,
    publishableKey,
    concurrency,
    log,
  });
  const health = await openHealth(() => worker.isReady());
  log("The worker is ready.");
  const stop = async () => {
    await worker.stop(graceMs);
    health?.close();
    await door.close();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void stop());
}

/** For whoever runs the process, such as a container: only where a port is named. */
async function openHealth(isReady: () => boolean) {
  const port = process.env["WORKER_HEALTH_PORT"];
  if (port === undefined) return undefined;
  if (!/^\d{1,5}$/.test(port)) throw new Error("WORKER_HEALTH_PORT is the number of a port, such as 8080.");
  return startHealthServer({ port: Number(port), host: process.env["WORKER_HEALTH_HOST"] ?? "127.0.0.1", isReady });
}

function required(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(
    `${name} is not set. A worker needs DATABASE_URL, SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY and SUPABASE_JWT_SECRET.`,
  );
}

if (process.send) serveStudio();
else {
  try {
    await serveDatabase(required("DATABASE_URL"));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
