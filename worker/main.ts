import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { rememberTokens, signAccountToken } from "./account-tokens.ts";
import { type StudioMessage, usualConcurrency } from "./messages.ts";
import { fetchBeside, functionsOfParent } from "./functions-beside.ts";
import { startHealthServer } from "./health.ts";
import { queueMetrics } from "./metrics/queue-metrics.ts";
import { addWork, noWork, workMetrics } from "./metrics/work-figures.ts";
import { openDatabase } from "./open-database.ts";
import { openStudioDoor, tellStudio } from "./studio-door.ts";
import { readSigningKey } from "./signing-key.ts";
import { watchApi } from "./watch-api.ts";
import { missing, readWorkerKeys } from "./worker-keys.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

/** Milliseconds for calls under way to end when the worker is asked to stop: its runs are to be back within two seconds. */
const graceMs = 1_500;

/** How often a worker of its own looks whether the API is there that its runs need. */
const lookEveryMs = 10_000;

/** How often the studio is told what its worker has done. */
const tellWorkMs = 1_000;

/** A worker that the studio started: everything comes over IPC. */
function serveStudio(): void {
  const { door, askToken } = openStudioDoor();
  let worker: RunningWorker | undefined;
  const work = noWork();
  const told = noWork();
  const tellWork = () => {
    const news = noWork();
    addWork(news, work, told);
    if (Object.values(news).every((figure) => figure === 0)) return;
    Object.assign(told, work);
    tellStudio({ kind: "worked", work: news });
  };
  setInterval(tellWork, tellWorkMs).unref();
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
        work,
        log,
      });
    } else if (message.kind === "stop") {
      void (worker?.stop(graceMs) ?? Promise.resolve()).finally(() => {
        tellWork();
        process.exit(0);
      });
    }
  });
  tellStudio({ kind: "ready" });
}

/** A worker of its own beside a Postgres; its functions are in the process that started it, or behind the API. */
async function serveDatabase(databaseUrl: string): Promise<void> {
  const log = (line: string) => console.log(line);
  let worker: RunningWorker | undefined;
  let close = async () => {};
  const stop = async () => {
    await worker?.stop(graceMs);
    await close();
    process.exit(0);
  };
  // From the beginning: as the first process of a container it would not hear them otherwise. A second one means: now.
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(130));
      void stop();
    });
  }
  const isBeside = process.env["WORKER_FUNCTIONS"] === "beside";
  // Without its functions nothing goes on: what was stored is safe.
  if (isBeside) process.once("disconnect", () => process.exit(1));
  const url = readAddress(process.env["SUPABASE_URL"] || missing("SUPABASE_URL"));
  const { publishableKey, signingKey: writtenKey } = await readWorkerKeys(process.env);
  const signingKey = await readSigningKey(writtenKey);
  const concurrency = Number(process.env["WORKER_CONCURRENCY"] ?? usualConcurrency);
  if (!Number.isInteger(concurrency) || concurrency < 1) throw new Error("WORKER_CONCURRENCY is a number above 0.");
  const api = watchApi({
    url,
    publishableKey,
    makeToken: () => signAccountToken(randomUUID(), signingKey),
    everyMs: isBeside ? undefined : lookEveryMs,
    meanwhile: isBeside
      ? "Runs that need it wait for it."
      : "The worker takes no runs until it answers, and those that it has wait for it.",
    log,
  });
  await api.look();
  const door = await openDatabase(databaseUrl, log);
  // Secrets are of no use to anything that comes later.
  const metricsToken = process.env["STUDIO_METRICS_TOKEN"];
  for (const name of secretNames) delete process.env[name];
  const work = noWork();
  const started = startWorker({
    id: `${hostname()} ${process.pid} ${Date.now().toString(36)}`,
    door,
    tokens: rememberTokens((owner) => signAccountToken(owner, signingKey)),
    url,
    publishableKey,
    fetch: isBeside ? fetchBeside(`${url}/functions/v1`, functionsOfParent()) : undefined,
    api: { mayTake: () => isBeside || !(api.isAway() || api.isRefused()), patient: api.patient },
    concurrency,
    work,
    log,
  });
  worker = started;
  const held = () => ({
    name: "switchyard_worker_runs",
    kind: "gauge" as const,
    help: "Runs that this worker has.",
    values: [{ value: started.held }],
  });
  const health = await openHealth({
    isReady: () => started.isReady(),
    metricsToken,
    async metrics() {
      const queue = await queueMetrics(async () => (await door.ask("queueFigures", []))[0]?.["answer"]);
      return [...queue, held(), ...workMetrics(work)];
    },
  });
  close = async () => {
    health?.close();
    api.close();
    await door.close();
  };
  log("The worker is ready.");
}

/** Of no use to anything that comes later. */
const secretNames = ["DATABASE_URL", "SUPABASE_JWT_KEY", "SUPABASE_JWT_SECRET", "STUDIO_METRICS_TOKEN"];

/** For whoever runs the process, such as a container: only where a port is named. */
async function openHealth(
  answers: Pick<Parameters<typeof startHealthServer>[0], "isReady" | "metrics" | "metricsToken">,
) {
  const port = process.env["WORKER_HEALTH_PORT"];
  if (port === undefined) return undefined;
  if (!/^\d{1,5}$/.test(port)) throw new Error("WORKER_HEALTH_PORT is the number of a port, such as 8080.");
  const host = process.env["WORKER_HEALTH_HOST"] ?? "127.0.0.1";
  return startHealthServer({ port: Number(port), host, ...answers }).catch((error: unknown) => {
    const said = error instanceof Error ? error.message : String(error);
    throw new Error(`WORKER_HEALTH_PORT cannot be opened (${said}).`, { cause: error });
  });
}

/** The origin of the API, without a slash at the end. */
function readAddress(text: string): string {
  if (/^https?:\/\/[^/]/.test(text) && URL.canParse(text)) return text.replace(/\/+$/, "");
  throw new Error(`SUPABASE_URL is an address such as https://studio.example.com, not ${text}.`);
}

// A worker of the studio has no address of a database.
if (process.send && !process.env["DATABASE_URL"]) serveStudio();
else {
  try {
    await serveDatabase(process.env["DATABASE_URL"] || missing("DATABASE_URL"));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
