import type { RunEvent } from "../../engine/run/events.ts";
import {
  type RunRepository,
  type RunSummary,
  type ServerRuns,
  ServiceError,
  type StoredRunStatus,
} from "../../services/services.ts";

/** What is new of a run on the server. */
interface RunNews {
  summary: RunSummary;
  events: RunEvent[];
}

interface FollowOptions {
  runs: Pick<RunRepository, "get">;
  serverRuns: Pick<ServerRuns, "reader" | "watch">;
  signal: AbortSignal;
  /** Waits so many milliseconds or until `sooner`, longer while nobody looks; resolves early when the signal aborts. */
  pause?(milliseconds: number, signal: AbortSignal, sooner?: Promise<void>): Promise<void>;
}

/** Milliseconds between two looks: often while steps come, seldom while the run waits, and where the server tells of news. */
const pauses: Partial<Record<StoredRunStatus, number>> = { queued: 2_000, running: 400, waiting: 2_000 };
const pauseWhileTold = 2_000;
const firstRetry = 2_000;
const longestRetry = 15_000;
/** Looks after which the server is asked to tell of news again, once it has stopped: twice as many each time that it told nothing. */
const firstLooks = 10;
const mostLooks = 150;

/** Whether nothing more will come of a run. */
export function hasEnded(status: StoredRunStatus): boolean {
  return pauses[status] === undefined;
}

/**
 * What happens in a run on the server up to its end; the last news has the status it ended with. Without a connection it
 * goes on asking. Ends early when the signal aborts; rejects when the run is gone.
 */
export async function* followRun(runId: string, options: FollowOptions): AsyncGenerator<RunNews, void> {
  const { runs, serverRuns, signal, pause = pauseWhileSeen } = options;
  const reader = await serverRuns.reader(runId);
  let retry = firstRetry;
  let unread: RunEvent[] = [];
  const news = watchNews(runId, serverRuns, signal);
  while (!signal.aborted) {
    let found: RunNews;
    try {
      news.look();
      // The row first: once it has ended, all its events are stored.
      const summary = await runs.get(runId);
      unread = [...unread, ...(await reader.read())];
      found = { summary, events: unread };
    } catch (error) {
      if (error instanceof ServiceError && error.kind !== "offline" && error.kind !== "server") throw error;
      await pause(retry, signal);
      retry = Math.min(retry * 2, longestRetry);
      continue;
    }
    retry = firstRetry;
    unread = [];
    if (signal.aborted) return;
    yield found;
    const { status } = found.summary;
    if (hasEnded(status)) return;
    await pause(news.isTold() ? pauseWhileTold : (pauses[status] ?? firstRetry), signal, news.next());
  }
}

/** What the server tells of a run while it goes on. Where its way to tell breaks, it is asked again by and by. */
function watchNews(runId: string, { watch }: Pick<ServerRuns, "watch">, signal: AbortSignal) {
  let told = false;
  let isWatching = false;
  let looks = firstLooks;
  let looksLeft = 0;
  let hear = () => {};
  let heard = Promise.resolve();
  const onChange = () => {
    told = true;
    looks = firstLooks;
    hear();
  };
  const begin = () => {
    isWatching = true;
    void watch(runId, onChange, signal).then(() => {
      told = false;
      isWatching = false;
      looksLeft = looks;
      looks = Math.min(looks * 2, mostLooks);
    });
  };
  return {
    /** Before each look at the run: what is told from here on is news. */
    look() {
      heard = new Promise((resolve) => (hear = resolve));
      if (!isWatching && looksLeft-- <= 0) begin();
    },
    next: () => heard,
    isTold: () => told,
  };
}

/** A tab that nobody sees asks for nothing. */
async function pauseWhileSeen(milliseconds: number, signal: AbortSignal, sooner?: Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const end = () => [clearTimeout(timer), resolve()];
    signal.addEventListener("abort", end, { once: true });
    void sooner?.then(end);
  });
  while (document.visibilityState === "hidden" && !signal.aborted) {
    await new Promise<void>((resolve) => {
      document.addEventListener("visibilitychange", () => resolve(), { once: true, signal });
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}
