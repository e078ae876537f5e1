import type { ChildProcess } from "node:child_process";
import { DatabaseUnavailable } from "./database-client.ts";
import {
  brokenExitCode,
  type DatabaseOrder,
  type DatabaseReport,
  type DatabaseSettings,
  type Outcome,
} from "./database-messages.ts";
import { forkDatabase } from "./fork-database.mjs";
import { processorTimeOf } from "./process-identity.ts";
import { errorText, StartError } from "../start-error.ts";

/** What people are told about the database. */
export type DatabaseState = "ready" | "restarting" | "stopped";

/** The process that holds the database: watched, killed when it takes too long, and started again for ever. */
export interface SupervisedDatabase {
  readonly state: DatabaseState;
  /** Milliseconds of processor time that the work at hand has taken; 0 when there is none. */
  readonly busyMs: number;
  readonly pid: number | undefined;
  /** Changes with each restart: what a transaction did before it is gone. */
  readonly generation: number;
  /** Resolves when the database is open; rejects with DatabaseUnavailable when that takes longer than `patienceMs`. */
  ready(patienceMs?: number): Promise<void>;
  /**
   * Gives one piece of work to the open database; callers take turns. Rejects with DatabaseUnavailable when the process ends
   * meanwhile, by itself or because the work took longer than the deadline.
   */
  work(work: Work, deadlineMs?: number): Promise<Outcome>;
  stop(): Promise<void>;
}

type Work = DistributiveOmit<Extract<DatabaseOrder, { id: number }>, "id">;
type DistributiveOmit<Union, Key extends string> = Union extends unknown ? Omit<Union, Key> : never;

interface SupervisorOptions {
  settings: DatabaseSettings;
  /** How long one piece of work may take before the process is killed. */
  deadlineMs: number;
  log: (line: string) => void;
  /** Gives, once, a process that was started ahead and still runs. */
  takeAhead: () => ChildProcess | undefined;
  /** Called with the id of each process before it opens the database. */
  onProcess?: (pid: number) => void;
}

/** An upgrade of large data takes its time; only a start that hangs takes this long. */
const openingDeadlineMs = 10 * 60_000;
const longestPauseMs = 30_000;
const closingDeadlineMs = 10_000;

/**
 * Opens the database in a process of its own. Rejects with StartError when it cannot be opened; once it was open, it is
 * started again whenever it ends.
 */
export async function superviseDatabase(options: SupervisorOptions): Promise<SupervisedDatabase> {
  const { settings, deadlineMs, log } = options;
  let state: DatabaseState = "restarting";
  let current: DatabaseProcess | undefined;
  let generation = 0;
  let opening: Promise<void>;
  let pause: { timer: NodeJS.Timeout; end: () => void } | undefined;

  async function launch(): Promise<void> {
    const started = startProcess(options, (reason) => restart(started, reason));
    current = started;
    generation += 1;
    await started.open(settings);
    state = "ready";
  }

  function restart(ended: DatabaseProcess, reason: string): void {
    if (state !== "ready" || current !== ended) return;
    state = "restarting";
    log(`The database stopped: ${reason}. It is being restarted; what was saved is safe.`);
    const since = Date.now();
    opening = untilOpen().then(() => {
      if (state === "ready") log(`The database is back after ${((Date.now() - since) / 1_000).toFixed(1)} s.`);
    });
  }

  async function untilOpen(): Promise<void> {
    let told = "";
    for (let pauseMs = 200; state === "restarting"; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        return await launch();
      } catch (error) {
        const text = errorText(error);
        if (text !== told && state === "restarting") log(`The database cannot be opened yet: ${text}`);
        told = text;
      }
      if (state !== "restarting") return;
      await new Promise<void>((resolve) => {
        pause = { timer: setTimeout(resolve, pauseMs), end: resolve };
      });
    }
  }

  const isReady = () => state === "ready";
  opening = launch();
  await opening;

  return {
    get state() {
      return state;
    },
    get pid() {
      return current?.pid;
    },
    get generation() {
      return generation;
    },
    get busyMs() {
      return current?.busyMs() ?? 0;
    },
    async ready(patienceMs) {
      if (isReady()) return;
      let timer: NodeJS.Timeout | undefined;
      const impatience = new Promise<void>((resolve) => {
        if (patienceMs !== undefined) timer = setTimeout(resolve, patienceMs);
      });
      await Promise.race([opening, impatience]);
      clearTimeout(timer);
      if (!isReady()) throw new DatabaseUnavailable(state === "stopped" ? "closed" : "not-started");
    },
    async work(work, within = deadlineMs) {
      if (state !== "ready" || !current) throw new DatabaseUnavailable("not-started");
      return current.work(work, within);
    },
    async stop() {
      state = "stopped";
      if (pause) {
        clearTimeout(pause.timer);
        pause.end();
      }
      await current?.close();
    },
  };
}

interface DatabaseProcess {
  pid: number | undefined;
  open(settings: DatabaseSettings): Promise<void>;
  work(work: Work, deadlineMs: number): Promise<Outcome>;
  busyMs(): number;
  close(): Promise<void>;
}

/** What the one piece of work at hand waits for. */
interface Pending {
  deadlineMs: number;
  ticks: number;
  /** Processor time of the process at the first tick; null where the system does not tell. */
  processorTimeBefore: number | null | undefined;
  resolve: (report: DatabaseReport) => void;
  reject: (error: Error) => void;
}

const tickMs = 100;
/** Work that uses no processor is given this many times as long: a disk, or all other programs, may be slow. */
const waitingFactor = 4;

function startProcess({ onProcess, takeAhead }: SupervisorOptions, onEnd: (reason: string) => void): DatabaseProcess {
  const child = takeAhead() ?? forkDatabase();
  if (child.pid !== undefined) onProcess?.(child.pid);
  let pending: Pending | undefined;
  let lastId = 0;
  let killedFor: string | undefined;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));

  const clock = setInterval(() => {
    if (!pending) return;
    // Most work is over by now, and the system need not be asked.
    if (pending.ticks === 0 && child.pid !== undefined) pending.processorTimeBefore = processorTimeOf(child.pid);
    pending.ticks += 1;
    if (busyMs() <= pending.deadlineMs) return;
    killedFor = `a statement took longer than ${pending.deadlineMs / 1_000} s`;
    settle((work) => work.reject(new DatabaseUnavailable("too-long")));
    child.kill("SIGKILL");
  }, tickMs);

  /**
   * Processor time, so that on a busy machine nobody's work is ended for the others' load. What passed is counted in ticks:
   * a machine that slept has not used up the time of what it slept through.
   */
  function busyMs(): number {
    if (!pending || child.pid === undefined) return 0;
    const passed = pending.ticks * tickMs;
    const before = pending.processorTimeBefore;
    if (before === undefined) return passed;
    const now = processorTimeOf(child.pid);
    if (now === null || before === null) return passed;
    return Math.max(now - before, passed / waitingFactor);
  }

  function settle(how: (work: Pending) => void): void {
    const work = pending;
    pending = undefined;
    if (work) how(work);
  }

  function wait(deadlineMs: number, order: DatabaseOrder): Promise<DatabaseReport> {
    return new Promise((resolve, reject) => {
      pending = { deadlineMs, ticks: 0, processorTimeBefore: undefined, resolve, reject };
      child.send(order, (error) => {
        if (error) settle((work) => work.reject(new DatabaseUnavailable("not-started")));
      });
    });
  }

  child.on("message", (report: DatabaseReport) => {
    if (report.kind !== "outcome" || report.id === lastId) settle((work) => work.resolve(report));
  });
  child.once("error", (error) => settle((work) => work.reject(error)));
  child.once("exit", (code, signal) => {
    clearInterval(clock);
    settle((work) => work.reject(new DatabaseUnavailable("outcome-unknown")));
    onEnd(killedFor ?? howItEnded(code, signal));
  });

  return {
    pid: child.pid,
    async open(settings) {
      const report = await wait(openingDeadlineMs, { kind: "open", settings }).catch(async (error: unknown) => {
        await ended;
        throw cannotOpen(killedFor ?? howItEnded(child.exitCode, child.signalCode), error);
      });
      if (report.kind === "ready") return;
      await endProcess(child, ended);
      if (report.kind !== "not-opened") throw new Error("The database's process answered out of turn.");
      if (report.hint === undefined) throw new Error(report.message, { cause: report.stack });
      throw new StartError(report.message, report.hint);
    },
    async work(work, deadlineMs) {
      lastId += 1;
      const report = await wait(deadlineMs, { ...work, id: lastId });
      if (report.kind !== "outcome") throw new Error("The database's process answered out of turn.");
      return report.outcome;
    },
    busyMs,
    close: () => endProcess(child, ended),
  };
}

/** Lets the process finish what it does; one that does not end in time is killed. */
async function endProcess(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const timer = setTimeout(() => child.kill("SIGKILL"), closingDeadlineMs);
  const close: DatabaseOrder = { kind: "close" };
  child.send(close, () => undefined);
  await ended;
  clearTimeout(timer);
}

function howItEnded(code: number | null, signal: NodeJS.Signals | null): string {
  if (code === brokenExitCode) return "a statement overflowed its stack";
  return signal === null ? `its process ended with exit code ${code}` : `its process was ended by ${signal}`;
}

function cannotOpen(reason: string, cause: unknown): StartError {
  return new StartError(
    `The data directory is damaged: the database cannot be opened (${reason}).`,
    "Nothing was deleted. Restore the directory from a backup, or start with another --data <dir>.",
    cause,
  );
}
