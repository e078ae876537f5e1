import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { freeFormerWorkers, worksFor } from "./works-for.ts";
import { signAccountToken } from "../../../worker/account-tokens.ts";
import { type StudioMessage, usualConcurrency, type WorkerMessage } from "../../../worker/messages.ts";
import { StatementRefused } from "../../../worker/sql-door.ts";
import { addWork, noWork, type WorkFigures } from "../../../worker/metrics/work-figures.ts";
import type { DatabaseClient } from "../database/database-client.ts";
import type { DatabaseService } from "../database/database-service.ts";
import type { LiveAnswers } from "../http/live-answers.ts";
import { errorText } from "../start-error.ts";
import { statementsOn } from "./worker-statements.ts";

/** What a worker's process is doing; `idle`: it has not been needed yet. */
export interface WorkerStatus {
  id: string;
  state: "idle" | "starting" | "running" | "waiting";
  /** How often the process has ended without being asked to. */
  restarts: number;
  /** Statements that it has asked for. */
  asked: number;
  pid?: number;
}

/** The workers of this studio, each a process of its own that reaches the database by way of this one. */
export interface Workers {
  /** Starts them if they are not there, and tells them to look at the queue. */
  wake(): void;
  statuses(): WorkerStatus[];
  /** What they have done since the studio started, together. */
  readonly work: WorkFigures;
  /** Lets them give back what they run. */
  stop(): Promise<void>;
}

interface WorkersOptions {
  count: number;
  database: Pick<DatabaseService, "connect">;
  /** Other studios may have workers on this database, too. */
  sharesDatabase: boolean;
  /** Where the workers reach the API. */
  url: string;
  publishableKey: string;
  jwtSecret: string;
  liveAnswers: Pick<LiveAnswers, "tell" | "forget">;
  log(line: string): void;
}

const namePrefix = "studio";
const pausesMs = [0, 250, 500, 1_000, 2_000, 4_000];
/** A process that has run for this long begins with the first pause again. */
const settledMs = 60_000;
const stopMs = 6_000;

/**
 * Makes the studio's workers. They start at once where something is published, a document is still to be read or a source to be loaded, else when they
 * are first needed.
 */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { count, database, sharesDatabase } = options;
  // What former workers of a shared database had is free once their leases end: which of them are gone, nobody knows.
  const prefix = sharesDatabase ? `${namePrefix}-${randomBytes(4).toString("hex")}` : namePrefix;
  const work = noWork();
  const client = database.connect();
  try {
    if (!sharesDatabase) await freeFormerWorkers(client, namePrefix);
    const { rows } = await client.query<{ needed: boolean }>(
      `select exists (select from public.studio_publications)
         or exists (select from public.studio_knowledge_documents where upload is not null)
         or exists (select from public.studio_knowledge_sources where due_at is not null) as needed`,
    );
    const workers = Array.from({ length: count }, (_, index) =>
      superviseWorker(`${prefix}-${index + 1}`, options, work),
    );
    // What another studio publishes later is told to its own workers alone; those that run look for themselves.
    if (sharesDatabase || rows[0]?.needed) for (const worker of workers) worker.wake();
    return {
      wake() {
        for (const worker of workers) worker.wake();
      },
      statuses: () => workers.map((worker) => worker.status()),
      work,
      async stop() {
        await Promise.all(workers.map((worker) => worker.stop()));
      },
    };
  } finally {
    client.close();
  }
}

type Phase =
  | { state: "idle" }
  | { state: "starting" | "running"; child: ChildProcess; startedAt: number }
  | { state: "waiting"; timer: NodeJS.Timeout };

function superviseWorker(id: string, options: WorkersOptions, work: WorkFigures) {
  const { database, url, publishableKey, jwtSecret, liveAnswers, log } = options;
  let phase: Phase = { state: "idle" };
  let stopped = false;
  let restarts = 0;
  let inARow = 0;
  let asked = 0;

  function launch(): void {
    // No secret of this process goes along: a workflow's code runs there.
    const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
    const child = fork(fileURLToPath(new URL("../../../worker/worker-process.mjs", import.meta.url)), {
      env: { PATH, HOME, TMPDIR, SystemRoot },
      execArgv: ["--disable-warning=ExperimentalWarning"],
      serialization: "advanced",
      // Ctrl-C in the terminal is for us to handle, in order.
      detached: true,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const client = database.connect();
    phase = { state: "starting", child, startedAt: Date.now() };
    child.on("message", (message: WorkerMessage) => void obey(child, client, message));
    child.once("error", (error) => log(`The worker ${id} cannot be started: ${errorText(error)}`));
    child.once("exit", (code, signal) => void afterEnd(client, signal ?? `exit code ${code}`));
  }

  async function afterEnd(client: DatabaseClient, how: string): Promise<void> {
    // Statements of the dead that still wait would take runs.
    client.close();
    if (phase.state !== "starting" && phase.state !== "running") return;
    const { startedAt } = phase;
    if (stopped) {
      phase = { state: "idle" };
      return;
    }
    if (Date.now() - startedAt > settledMs) inARow = 0;
    const pause = pausesMs[Math.min(inARow, pausesMs.length - 1)] ?? 0;
    inARow += 1;
    restarts += 1;
    log(`The worker ${id} has stopped (${how}); it starts again ${pause === 0 ? "now" : `in ${pause / 1_000} s`}.`);
    const own = database.connect();
    const dropped = own
      .query("select private.studio_drop_worker($1)", [id])
      .catch((error: unknown) => log(`What the worker ${id} had is free in a moment: ${errorText(error)}`))
      .finally(() => own.close());
    const timer = setTimeout(() => void dropped.then(() => (stopped ? undefined : launch())), pause);
    phase = { state: "waiting", timer };
  }

  async function obey(child: ChildProcess, client: DatabaseClient, message: WorkerMessage): Promise<void> {
    const tell = (answer: StudioMessage) => {
      if (child.connected) child.send(answer, () => undefined);
    };
    switch (message.kind) {
      case "ready":
        if ((phase.state === "starting" || phase.state === "running") && phase.child === child) {
          phase = { ...phase, state: "running" };
        }
        return tell({ kind: "start", worker: id, url, publishableKey, concurrency: usualConcurrency });
      case "log":
        return log(message.line);
      case "live":
        return liveAnswers.tell(message.run, message.news);
      case "left":
        return liveAnswers.forget(message.run);
      case "worked":
        return addWork(work, message.work);
      case "ask":
        asked += 1;
        return tell(await answerTo(client, message));
      case "token":
        return tell(await tokenFor(client, message));
      default:
        return message satisfies never;
    }
  }

  async function tokenFor(
    client: DatabaseClient,
    { id: question, owner }: Extract<WorkerMessage, { kind: "token" }>,
  ): Promise<StudioMessage> {
    try {
      if (!(await worksFor(client, id, owner))) {
        return { kind: "refused", id: question, message: "This worker does nothing for that account.", code: "42501" };
      }
      return { kind: "token", id: question, token: await signAccountToken(owner, jwtSecret) };
    } catch (error) {
      return { kind: "no-answer", id: question, message: errorText(error) };
    }
  }

  return {
    wake() {
      if (stopped) return;
      if (phase.state === "idle") launch();
      else if (phase.state === "running" && phase.child.connected) {
        const wake: StudioMessage = { kind: "wake" };
        phase.child.send(wake, () => undefined);
      }
    },
    status(): WorkerStatus {
      const pid = "child" in phase ? phase.child.pid : undefined;
      return { id, state: phase.state, restarts, asked, ...(pid === undefined ? {} : { pid }) };
    },
    async stop() {
      stopped = true;
      if (phase.state === "waiting") clearTimeout(phase.timer);
      if (phase.state !== "starting" && phase.state !== "running") return;
      const { child } = phase;
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      const stop: StudioMessage = { kind: "stop" };
      if (child.connected) child.send(stop, () => undefined);
      const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

async function answerTo(
  client: DatabaseClient,
  { id, statement, parameters }: Extract<WorkerMessage, { kind: "ask" }>,
): Promise<StudioMessage> {
  try {
    return { kind: "rows", id, rows: await statementsOn(client).ask(statement, parameters) };
  } catch (error) {
    if (error instanceof StatementRefused) return { kind: "refused", id, message: error.message, code: error.code };
    return { kind: "no-answer", id, message: errorText(error) };
  }
}
