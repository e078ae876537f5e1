import type { LiveNews } from "../src/doors/live-news.ts";
import type { TokenSource } from "./account-tokens.ts";
import { createChoreRounds } from "./chore-rounds.ts";
import { type ChoreName, chores } from "./chores.ts";
import { logSeldom } from "./log-seldom.ts";
import { type Claim, createRunQueue } from "./run-queue.ts";
import { countEvent, countStatements, type WorkFigures } from "./metrics/work-figures.ts";
import { endOf } from "./run-start.ts";
import { createServing } from "./serve-owner.ts";
import { ServerRun } from "./server-run.ts";
import { NoAnswer, type SqlDoor } from "./sql-door.ts";

interface WorkerOptions {
  id: string;
  door: SqlDoor;
  tokens: TokenSource;
  /** Origin of the studio's API. */
  url: string;
  publishableKey: string;
  /** What makes requests of that API; the usual one by default. */
  fetch?: typeof fetch | undefined;
  /** For an API that may be away for a while: whether runs are taken now, and what makes those of before wait for it. */
  api?: { mayTake(): boolean; patient(send: typeof fetch): typeof fetch } | undefined;
  /** Runs at once. */
  concurrency: number;
  /** Hears at once what runs say, where somebody can. */
  live?: { tell(run: string, news: LiveNews): void; leave(run: string): void } | undefined;
  /** Counts what the worker does. */
  work: WorkFigures;
  log(line: string): void;
  /** How many times as often as usual chores come; for tests. */
  chorePace?: number;
}

const beatMs = 3_000;
/** A worker without a run says less often that it is there. */
const idleBeatMs = 10_000;
/** A worker that has heard nothing from the database for so long says that it is not ready. */
const readyMs = 30_000;
/** After leases of an owner could not be renewed, his are left alone for so long. */
const leftAloneMs = 30_000;

/** A worker at work. */
export interface RunningWorker {
  /** How many runs it has. */
  readonly held: number;
  /** Whether it can take runs: the database has answered not long ago, the API is not away, and nobody has stopped it. */
  isReady(): boolean;
  /** Takes no more runs, and gives back at once those that it has: at a checkpoint, or after `graceMs` in the middle of a call. */
  stop(graceMs: number): Promise<void>;
}

/** Takes runs from the queue and runs them until it is stopped. */
export function startWorker(options: WorkerOptions): RunningWorker {
  const { id, tokens, concurrency, work, log } = options;
  const door = countStatements(options.door, work);
  const runs = new Map<string, ServerRun>();
  let stopped = false;
  let over = false;
  const queue = createRunQueue(door, () => over);
  let claiming: Promise<void> | undefined;
  let again = false;
  let beating = false;
  let lastBeat = 0;
  let answeredAt = 0;
  const say = logSeldom((line) => {
    if (!over) log(line);
  });

  function tell(doing: string, error: unknown): void {
    say(doing, `The worker could not ${doing}: ${error instanceof Error ? error.message : String(error)}`);
  }

  const mayTake = () => !stopped && (options.api?.mayTake() ?? true);
  const hasRoom = () => mayTake() && runs.size < concurrency;

  function claimAll(): void {
    again = true;
    claiming ??= takeRuns().finally(() => {
      claiming = undefined;
      if (again) claimAll();
    });
  }

  async function takeRuns(): Promise<void> {
    try {
      do {
        again = false;
        while (hasRoom()) {
          const claimedAt = Date.now();
          const claim = await queue.claim(id);
          if (!claim) break;
          begin(claim, claimedAt);
        }
      } while (again);
    } catch (error) {
      again = false;
      tell("look at the queue", error);
      // Somebody's run may be what keeps the others from being taken.
      if (!(error instanceof NoAnswer)) await doChore("claims");
    }
  }

  function begin(claim: Claim, claimedAt: number): void {
    if (!claim.ok) {
      const error = {
        code: "internal" as const,
        message: "This run cannot be read.",
        hint: claim.reason,
        retryable: false,
      };
      void queue.finish(claim.run, "[]", endOf(error)).catch((failure: unknown) => tell("end a run", failure));
      return;
    }
    const { owner } = claim.run;
    // Before anything else, so that a decision or a lost lease reaches it.
    const run = new ServerRun(claim.run, {
      queue,
      worker: id,
      claimedAt,
      log: (line) => say("run", line),
      onEvent: (event) => countEvent(work, event),
      onNews: (news) => options.live?.tell(claim.run.id, news),
      access: {
        url: options.url,
        publishableKey: options.publishableKey,
        fetch: options.fetch,
        patient: options.api?.patient,
        accessToken: () => tokens.tokenFor(owner),
      },
    });
    runs.set(run.id, run);
    void run.done.then(() => {
      options.live?.leave(run.id);
      if (runs.get(run.id) === run) runs.delete(run.id);
      if (!stopped) claimAll();
    });
  }

  async function takeRunOf(owner: string): Promise<boolean> {
    if (!hasRoom()) return false;
    const claimedAt = Date.now();
    const claim = await queue.claimOf(id, owner);
    if (claim) begin(claim, claimedAt);
    return claim !== undefined;
  }

  /** Owners whose leases could not be renewed with the others': until when they are left alone, to be renewed apart then. */
  const apart = new Map<string, number>();

  async function beat(): Promise<void> {
    if (beating || over) return;
    beating = true;
    lastBeat = Date.now();
    const all = [...runs.values()];
    const together = all.filter(({ owner }) => !apart.has(owner));
    try {
      if (!(await renew(together))) for (const { owner } of together) apart.set(owner, 0);
      for (const [owner, until] of apart) {
        if (until > Date.now()) continue;
        if (await renew(all.filter((run) => run.owner === owner))) apart.delete(owner);
        else apart.set(owner, Date.now() + leftAloneMs);
      }
    } finally {
      beating = false;
    }
  }

  /** Says that the worker is there and renews the leases of these runs; false where the database refused. */
  async function renew(some: readonly ServerRun[]): Promise<boolean> {
    const held = some.map((run) => ({ id: run.id, attempt: run.attempt }));
    const askedAt = Date.now();
    try {
      const news = await queue.beat(id, concurrency, held);
      answeredAt = Date.now();
      // Only what was asked about: meanwhile the same run may have been taken again.
      const asked = new Map(held.map((run) => [run.id, run.attempt]));
      const found = (runId: string) => {
        const run = runs.get(runId);
        return run?.attempt === asked.get(runId) ? run : undefined;
      };
      for (const runId of news.fenced) found(runId)?.fence();
      for (const runId of asked.keys()) found(runId)?.renewed(askedAt);
      for (const runId of news.cancelled) found(runId)?.cancel();
      for (const { runId, callId, decision } of news.decided) found(runId)?.decide(callId, decision);
      return true;
    } catch (error) {
      tell("renew its leases", error);
      return error instanceof NoAnswer;
    }
  }

  const rounds = createChoreRounds({ door, tell: say, isStopped: () => stopped });
  const { url, publishableKey, fetch: send } = options;
  const serving = createServing({ door, worker: id, url, publishableKey, fetch: send, tokens, takeRunOf });

  function doChore(name: ChoreName): Promise<void> {
    return rounds.run(name, { ...chores[name], serve: serving[name] });
  }

  door.onWake(() => {
    claimAll();
    if (runs.size > 0) void beat();
  });
  const timers = [
    setInterval(() => claimAll(), door.pollMs),
    setInterval(() => {
      if (runs.size > 0 || Date.now() - lastBeat >= idleBeatMs) void beat();
    }, beatMs),
  ];
  for (const name of Object.keys(chores) as ChoreName[]) {
    const { everyMs } = chores[name];
    if (everyMs !== null) timers.push(setInterval(() => void doChore(name), everyMs / (options.chorePace ?? 1)));
  }
  void beat();
  claimAll();

  return {
    get held() {
      return runs.size;
    },
    isReady: () => mayTake() && Date.now() - answeredAt < readyMs,
    async stop(graceMs) {
      stopped = true;
      const giveBack = () => Promise.all([...runs.values()].map((run) => run.release(graceMs)));
      // A claim may wait for others, and what it brings is given back as well.
      await Promise.all([giveBack(), claiming?.then(giveBack)]);
      over = true;
      for (const timer of timers) clearInterval(timer);
      await door.ask("dropWorker", [id]).catch(() => undefined);
    },
  };
}
