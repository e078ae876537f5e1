import { databaseHeader } from "../../../engine/studio-headers.ts";

/** Whether the database is away for a moment, for whoever shows it. Only the embedded backend says so. */
export interface DatabasePause {
  isAway(): boolean;
  subscribe(listener: () => void): () => void;
  /** The same `fetch`, which waits out a pause: what was not started is asked again, at most `tries` times. */
  patient(send: typeof fetch): typeof fetch;
}

const mostTries = 10;
const longestWaitMs = 5_000;

/**
 * Notices by the answers of `send` that the database restarts, and by asking `statusUrl` that it is back, should nobody else
 * ask meanwhile.
 */
export function createDatabasePause(statusUrl: string, sleep: (ms: number) => Promise<void> = pause): DatabasePause {
  const listeners = new Set<() => void>();
  let away = false;

  function set(now: boolean): void {
    if (away === now) return;
    away = now;
    for (const listener of listeners) listener();
    if (away) void watch();
  }

  async function watch(): Promise<void> {
    while (away) {
      await sleep(1_000);
      if (await isBack(statusUrl)) set(false);
    }
  }

  return {
    isAway: () => away,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    patient: (send) => async (input, init) => {
      for (let attempt = 1; ; attempt += 1) {
        const response = await send(input, init);
        const reason = response.status === 503 ? response.headers.get(databaseHeader) : null;
        if (reason === null) {
          set(false);
          return response;
        }
        set(true);
        const isRead = (init?.method ?? "GET") === "GET";
        if (!(reason === "not-started" || isRead) || attempt > mostTries || init?.signal?.aborted) return response;
        const seconds = Number(response.headers.get("retry-after")) || 1;
        await sleep(Math.min(seconds * 1_000, longestWaitMs));
      }
    },
  };
}

async function isBack(statusUrl: string): Promise<boolean> {
  try {
    const status: unknown = await (await fetch(statusUrl)).json();
    return typeof status === "object" && status !== null && "database" in status && status.database === "ready";
  } catch {
    return false;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
