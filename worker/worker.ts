import type { LiveNews } from "../src/engine/doors/live-news.ts";
import type { TokenSource } from "./account-tokens.ts";
import { createRunQueue } from "./run-queue.ts";
import { fireDueTriggers } from "./schedules.ts";
import { sendDueNotices } from "./send-notices.ts";
import { sendDueTraces } from "./send-traces.ts";
import { ServerRun } from "./server-run.ts";
import type { SqlDoor } from "./sql-door.ts";

interface WorkerOptions {
  id: string;
  door: SqlDoor;
  tokens: TokenSource;
  /** Origin of the studio's API. */
  url: string;
  publishableKey: string;
  /** Runs at once. */
  concurrency: number;
  /** Hears at once what runs say, where somebody can. */
  live?: { tell(run: string, news: LiveNews): void; leave(run: string): void } | undefined;
  log(line: string): void;
}

const beatMs = 3_000;
/** A worker without a run says less often that it is there. */
const idleBeatMs = 10_000;
/** A worker that has heard nothing from the database for so long says that it is not ready. */
const readyMs = 30_000;
const choresMs = 5_000;
/** How long one part of deleting an account takes. */
const deletionMs = 200;
/** Accounts whose old runs and conversations are deleted, one each time. */
const pruneMs = 30_000;
const schedulesMs = 1_000;

/** A worker at work. */
export interface RunningWorker {
  /** How many runs it has. */
  readonly held: number;
  /** Whether it can take runs: the database has answered not long ago, and nobody has stopped it. */
  isReady(): boolean;
  /** Takes no more runs, and gives back those that do not come to a checkpoint within `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Takes runs from the queue and runs them until it is stopped. */
export function startWorker(options: WorkerOptions): RunningWorker {
  const { id, door, tokens, concurrency, log } = options;
  const runs = new Map<string, ServerRun>();
  let stopped = false;
  let over = false;
  const queue = createRunQueue(door, () => over);
  let claiming: Promise<void> | undefined;
  let again = false;
  let beating = false;
  let lastBeat = 0;
  let answeredAt = 0;
  let told = "";

  /** The same trouble is told once. */
  function tell(doing: string, error: unknown): void {
    const line = `The worker could not ${doing}: ${error instanceof Error ? error.message : String(error)}`;
    if (line !== told && !over) log(line);
    told = line;
  }

  const hasRoom = () => !stopped && runs.size < concurrency;

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
          // Before anything else, so that a decision or a lost lease reaches it.
          const run = new ServerRun(claim, {
            queue,
            worker: id,
            claimedAt,
            log,
            onNews: (news) => options.live?.tell(claim.id, news),
            access: {
              url: options.url,
              publishableKey: options.publishableKey,
              accessToken: () => tokens.tokenFor(claim.owner),
            },
          });
          runs.set(run.id, run);
          void run.done.then(() => {
            options.live?.leave(run.id);
            if (runs.get(run.id) === run) runs.delete(run.id);
            if (!stopped) claimAll();
          });
        }
      } while (again);
      told = "";
    } catch (error) {
      again = false;
      tell("look at the queue", error);
    }
  }

  async function beat(): Promise<void> {
    if (beating || over) return;
    beating = true;
    lastBeat = Date.now();
    try {
      const held = [...runs.values()].map((run) => ({ id: run.id, attempt: run.attempt }));
      const news = await queue.beat(id, concurrency, held);
      answeredAt = Date.now();
      // Only what was asked about: meanwhile the same run may have been taken again.
      const asked = new Map(held.map((run) => [run.id, run.attempt]));
      const found = (runId: string) => {
        const run = runs.get(runId);
        return run?.attempt === asked.get(runId) ? run : undefined;
      };
      for (const runId of news.fenced) found(runId)?.fence();
      for (const runId of asked.keys()) found(runId)?.renewed(lastBeat);
      for (const runId of news.cancelled) found(runId)?.cancel();
      for (const { runId, callId, decision } of news.decided) found(runId)?.decide(callId, decision);
    } catch (error) {
      tell("renew its leases", error);
    } finally {
      beating = false;
    }
  }

  let firing = false;

  async function fireSchedules(): Promise<void> {
    if (firing || stopped) return;
    firing = true;
    try {
      await fireDueTriggers(door, Date.now());
    } catch (error) {
      tell("look at the schedules", error);
    } finally {
      firing = false;
    }
  }

  let sending = false;

  async function sendNotices(): Promise<void> {
    if (sending || stopped) return;
    sending = true;
    try {
      const { url, publishableKey } = options;
      await sendDueNotices({ door, worker: id, url, publishableKey, tokenFor: (owner) => tokens.tokenFor(owner) });
    } catch (error) {
      tell("have failures told", error);
    } finally {
      sending = false;
    }
  }

  let deleting = false;

  async function deleteAccounts(): Promise<void> {
    if (deleting || stopped) return;
    deleting = true;
    try {
      let left = true;
      while (left) left = (await queue.deleteAccountPart(deletionMs)) && !stopped;
    } catch (error) {
      tell("delete an account", error);
    } finally {
      deleting = false;
    }
  }

  let tracing = false;

  async function sendTraces(): Promise<void> {
    if (tracing || stopped) return;
    tracing = true;
    try {
      const { url, publishableKey } = options;
      await sendDueTraces({ door, worker: id, url, publishableKey, tokenFor: (owner) => tokens.tokenFor(owner) });
    } catch (error) {
      tell("send traces", error);
    } finally {
      tracing = false;
    }
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
    setInterval(() => void fireSchedules(), schedulesMs),
    setInterval(() => void sendNotices(), choresMs),
    setInterval(() => void sendTraces(), choresMs),
    setInterval(() => void deleteAccounts(), choresMs),
    setInterval(() => void queue.expireWaits().catch((error: unknown) => tell("end waits", error)), choresMs),
    setInterval(
      () => void queue.pruneNextOwner().catch((error: unknown) => tell("delete what is kept no longer", error)),
      pruneMs,
    ),
  ];
  void beat();
  claimAll();

  return {
    get held() {
      return runs.size;
    },
    isReady: () => !stopped && Date.now() - answeredAt < readyMs,
    async stop(graceMs) {
      stopped = true;
      // What was asked for before is there now, and given back with the rest.
      await claiming;
      await Promise.all([...runs.values()].map((run) => run.release(graceMs)));
      over = true;
      for (const timer of timers) clearInterval(timer);
      await door.ask("dropWorker", [id]).catch(() => undefined);
    },
  };
}
