import { DatabaseUnavailable } from "../database-client.ts";
import type { DatabaseState } from "../database-supervisor.ts";
import { errorText } from "../../start-error.ts";
import type { ServerSession } from "./server-session.ts";

/** Connections that are kept from one use to the next, and the news of whether the server can be reached. */
export interface KeptSessions {
  readonly state: DatabaseState;
  /** Resolves when the server can be reached; rejects with DatabaseUnavailable when that takes longer than `patienceMs`. */
  ready(patienceMs?: number): Promise<void>;
  /** A connection that nobody else has. Rejects with DatabaseUnavailable when there is none to be had. */
  take(): Promise<ServerSession>;
  giveBack(session: ServerSession): void;
  close(): void;
}

const shortestPauseMs = 250;
const longestPauseMs = 5_000;

const isFull = (error: unknown) => error instanceof Error && "code" in error && error.code === "53300";

/** `open` connects. While it fails, it is tried again and again, and nobody waits for it. */
export function keepSessions(open: () => Promise<ServerSession>, log: (line: string) => void): KeptSessions {
  const idle: ServerSession[] = [];
  const taken = new Set<ServerSession>();
  let state: DatabaseState = "ready";
  let back: Promise<void> = Promise.resolve();
  let pause: { timer: NodeJS.Timeout; end: () => void } | undefined;
  const isReady = () => state === "ready";
  const isStopped = () => state === "stopped";

  function lookForServer(reason: string): void {
    if (!isReady()) return;
    state = "restarting";
    log(
      `The database server cannot be reached: ${reason}. Requests are told to come again; the studio goes on by itself.`,
    );
    const since = Date.now();
    back = untilReached().then(() => {
      if (isReady()) log(`The database server is back after ${((Date.now() - since) / 1_000).toFixed(1)} s.`);
    });
  }

  async function untilReached(): Promise<void> {
    for (let pauseMs = shortestPauseMs; !isStopped(); pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      await new Promise<void>((resolve) => {
        pause = { timer: setTimeout(resolve, pauseMs), end: resolve };
      });
      const session = isStopped() ? null : await open().catch(() => null);
      if (!session) continue;
      if (isStopped()) return session.close();
      idle.push(session);
      state = "ready";
      return;
    }
  }

  return {
    get state() {
      return state;
    },
    async ready(patienceMs) {
      if (isReady()) return;
      let timer: NodeJS.Timeout | undefined;
      const impatience = new Promise<void>((resolve) => {
        if (patienceMs !== undefined) timer = setTimeout(resolve, patienceMs);
      });
      await Promise.race([back, impatience]);
      clearTimeout(timer);
      if (!isReady()) throw new DatabaseUnavailable(isStopped() ? "closed" : "not-started");
    },
    async take() {
      if (isStopped()) throw new DatabaseUnavailable("closed");
      let session = idle.pop();
      while (session?.isLost) session = idle.pop();
      try {
        session ??= await open();
      } catch (error) {
        // A server that has no connection left for this one still answers on the others.
        if (taken.size === 0 || !isFull(error)) lookForServer(errorText(error));
        throw new DatabaseUnavailable("not-started");
      }
      taken.add(session);
      return session;
    },
    giveBack(session) {
      taken.delete(session);
      if (isStopped()) session.close();
      else if (!session.isLost) idle.push(session);
    },
    close() {
      state = "stopped";
      if (pause) {
        clearTimeout(pause.timer);
        pause.end();
      }
      for (const session of [...idle, ...taken]) session.close();
    },
  };
}
