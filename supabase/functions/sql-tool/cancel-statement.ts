import { Buffer } from "node:buffer";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { openSocket, type SocketTarget } from "../_shared/open-socket.ts";

/** The number that stands for "cancel" where a session would begin. */
const cancelRequest = 80_877_102;
const timeoutMs = 3_000;

/** What the database gave at the beginning of a session, to cancel by. */
interface BackendKey {
  pid: number;
  secret: number;
}

/** Milliseconds between one request and the next. */
const pausesMs = [0, 300, 2_000];

/**
 * Asks more than once: a request that comes before the database has read the statement cancels nothing, and says nothing.
 * A session that has ended meanwhile is not disturbed. Never rejects.
 */
export async function cancelUntilHeard(target: SocketTarget, key: BackendKey): Promise<void> {
  for (const pause of pausesMs) {
    if (pause > 0) await setTimeout(pause);
    await cancelStatement(target, key);
  }
}

/**
 * Asks the database to stop what a session runs, by a connection of its own as the protocol wants it. Never rejects: when
 * it does not get through, the statement's own time limit ends it.
 */
async function cancelStatement(target: SocketTarget, { pid, secret }: BackendKey): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const socket = await openSocket(target, signal);
    const message = Buffer.alloc(16);
    message.writeInt32BE(16, 0);
    message.writeInt32BE(cancelRequest, 4);
    message.writeInt32BE(pid, 8);
    message.writeInt32BE(secret | 0, 12);
    socket.resume();
    socket.end(message);
    await once(socket, "close", { signal });
  } catch {
    return;
  }
}

/** The driver keeps the key with the statement that runs, where its types do not show it. */
export function backendKeyOf(query: object): BackendKey | undefined {
  const state: unknown = "state" in query ? query.state : undefined;
  if (typeof state !== "object" || state === null || !("pid" in state) || !("secret" in state)) return undefined;
  const { pid, secret } = state;
  return typeof pid === "number" && typeof secret === "number" ? { pid, secret } : undefined;
}
