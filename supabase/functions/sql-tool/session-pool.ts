import { createHash } from "node:crypto";
import { clearTimeout, setTimeout } from "node:timers";
import type { PostgresSession } from "./postgres-session.ts";

/** Milliseconds that a connection waits for its next call, and that one may live. */
const usualIdleMs = 15_000;
const lifetimeMs = 600_000;
/** Connections that wait, of one credential and of all. */
const mostOfOne = 4;
const most = 40;
/** A connection is cut off after 32 MiB, so that one that gave much is not used again. */
const mostReceived = 1_048_576;
/** Milliseconds for forgetting what a call may have left in its session. */
const cleaningMs = 2_000;

/** Whose connections may take each other's place. */
export interface PoolKey {
  credential: string;
  connectionString: string;
  tls: boolean;
  certificateAuthority?: string | undefined;
}

interface Idle {
  session: PostgresSession;
  timer: NodeJS.Timeout;
}

/**
 * Keeps connections for the next call of the same credential, as long as its secret is the same: signing in takes longer than
 * most statements. Each is cleaned before it waits, and closed when nobody wants it within the idle limit.
 */
export class SessionPool {
  readonly #idle = new Map<string, Idle[]>();
  readonly #idleMs: number;

  constructor({ idleMs = usualIdleMs }: { idleMs?: number } = {}) {
    this.#idleMs = idleMs;
  }

  /** A waiting connection to one of these addresses, which have just been checked. */
  take(key: PoolKey, addresses: readonly string[]): PostgresSession | undefined {
    const name = nameOf(key);
    const waiting = this.#idle.get(name) ?? [];
    for (let idle = waiting.pop(); idle !== undefined; idle = waiting.pop()) {
      clearTimeout(idle.timer);
      if (waiting.length === 0) this.#idle.delete(name);
      if (idle.session.isOpen() && idle.session.leadsTo(addresses)) return idle.session;
      void idle.session.close(true);
    }
    return undefined;
  }

  /** Takes a connection back, or closes it: one that is broken, old or has given much, and one too many. Never rejects. */
  async give(key: PoolKey, session: PostgresSession): Promise<void> {
    const isFresh = session.received() < mostReceived && Date.now() - session.openedAt < lifetimeMs;
    const isClean = isFresh && session.isOpen() && (await clean(session));
    const name = nameOf(key);
    const waiting = this.#idle.get(name) ?? [];
    if (!isClean || waiting.length >= mostOfOne || this.#count() >= most) return session.close(!isClean);
    const timer = setTimeout(() => this.#drop(name, session), this.#idleMs);
    timer.unref();
    this.#idle.set(name, [...waiting, { session, timer }]);
  }

  #drop(name: string, session: PostgresSession): void {
    const others = (this.#idle.get(name) ?? []).filter((idle) => idle.session !== session);
    if (others.length > 0) this.#idle.set(name, others);
    else this.#idle.delete(name);
    void session.close(false);
  }

  #count(): number {
    let count = 0;
    for (const waiting of this.#idle.values()) count += waiting.length;
    return count;
  }
}

/** No secret of a credential stays in the table of those that wait. */
function nameOf({ credential, connectionString, tls, certificateAuthority }: PoolKey): string {
  return createHash("sha256")
    .update(JSON.stringify([credential, connectionString, tls, certificateAuthority]))
    .digest("hex");
}

/** Whether the session is as it was when it began: no settings, no temporary tables, no locks, no open transaction. */
async function clean({ sql }: PostgresSession): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), cleaningMs);
  });
  const cleaned = sql.unsafe("discard all").then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([cleaned, late]);
  } finally {
    clearTimeout(timer);
  }
}
