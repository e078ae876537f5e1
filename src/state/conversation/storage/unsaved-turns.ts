import type { EmbeddedMessage, SessionKey } from "../../../engine/host.ts";
import type { JsonObject } from "../../../engine/json.ts";
import { canonicalJson } from "../../../engine/canonical-json.ts";
import type { Message } from "../../../engine/model/message.ts";
import { RunError } from "../../../engine/errors.ts";
import type { BrowserTable, UnsavedTurn, UnsavedTurns } from "../../../services/services.ts";

/** A turn on its way to a memory: all that is needed to write it again. */
export type TurnWrite = { id: string; key: SessionKey } &
  /** `encrypted` is how they are to be stored; here they wait as they are. */
  (
    | { kind: "messages"; messages: Message[]; keep?: number; encrypted?: true }
    | { kind: "vectors"; messages: readonly EmbeddedMessage[]; model: string }
    /** A request to the function `redis-memory`. */
    | { kind: "redis"; request: JsonObject }
  );

/** As it waits in this browser. */
export interface WaitingTurn {
  id: string;
  /** Id of the account that it belongs to. */
  owner: string;
  /** Its place in the order: milliseconds since 1970, one more where two came at once. */
  at: number;
  write: TurnWrite;
}

interface UnsavedTurnsOptions {
  table: BrowserTable<WaitingTurn>;
  /** Makes the write. Rejects with a RunError, retryable when it may succeed later. */
  send(write: TurnWrite): Promise<void>;
  /** What is tried again by itself waits this long. */
  pauseMs?: number;
}

/** The queue of turns that a memory did not take, as the doors to the memories use it. */
export interface TurnQueue extends UnsavedTurns {
  /**
   * Makes a write behind those of its conversation that still wait. One that fails in a way that may pass is kept, and
   * made later by itself; it rejects all the same.
   */
  through<Value>(write: TurnWrite, make: () => Promise<Value>): Promise<Value>;
  /** Lets what waits for a conversation go first, before it is read. Never rejects. */
  settle(key: SessionKey): Promise<void>;
  /** Says who is signed in: only their turns are shown and sent. */
  use(owner: string | undefined): void;
}

const kept = "The turn is kept in this browser and saved as soon as it can be.";

function conversationOf({ kind, key, ...rest }: TurnWrite): string {
  const { credential, keyPrefix } = "request" in rest ? rest.request : {};
  return canonicalJson({ place: kind === "redis" ? [credential, keyPrefix] : "database", ...key });
}

/** One tab at a time sends; the others wait for their next turn. */
async function alone(work: () => Promise<void>): Promise<void> {
  if (typeof navigator === "undefined" || !("locks" in navigator)) return work();
  await navigator.locks.request("switchyard-unsaved-turns", work);
}

export function createUnsavedTurns({ table, send, pauseMs = 10_000 }: UnsavedTurnsOptions): TurnQueue {
  let owner: string | undefined;
  let turns: readonly WaitingTurn[] = [];
  let shown: readonly UnsavedTurn[] = [];
  let retrying: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  /** Turns that this browser's storage did not take. */
  const unwritten = new Set<string>();

  function show(next: readonly WaitingTurn[]): void {
    turns = next;
    shown = turns.map(({ id, write }) => ({ id, ...write.key }));
    for (const listener of listeners) listener();
    clearTimeout(timer);
    if (turns.length > 0) timer = setTimeout(() => void retry(), pauseMs);
  }

  /** Also those that another tab or an earlier visit left. */
  async function load(): Promise<void> {
    const rows = await table.all();
    const known = new Set(rows.map(({ id }) => id));
    const mine = [...rows, ...turns.filter(({ id }) => !known.has(id) && unwritten.has(id))];
    show(mine.filter((row) => row.owner === owner).toSorted((one, other) => one.at - other.at));
  }

  async function keep(write: TurnWrite): Promise<void> {
    if (owner === undefined || turns.some(({ id }) => id === write.id)) return;
    const at = Math.max(Date.now(), (turns.at(-1)?.at ?? 0) + 1);
    const turn: WaitingTurn = { id: write.id, owner, at, write };
    show([...turns, turn]);
    const written = await table.put(turn);
    if (!written) unwritten.add(turn.id);
  }

  async function drop(id: string): Promise<void> {
    show(turns.filter((turn) => turn.id !== id));
    unwritten.delete(id);
    await table.remove(id);
  }

  async function sendAll(): Promise<void> {
    await load();
    const blocked = new Set<string>();
    for (const { id, write } of turns) {
      const conversation = conversationOf(write);
      if (blocked.has(conversation)) continue;
      try {
        await send(write);
        await drop(id);
      } catch (error) {
        // What no memory will ever take, such as a turn of a deleted workflow, must not hold up the others.
        if (mayPass(error)) blocked.add(conversation);
        else await drop(id);
      }
    }
  }

  function retry(): Promise<void> {
    retrying ??= alone(sendAll)
      .catch(() => {})
      .finally(() => {
        retrying = undefined;
        show(turns);
      });
    return retrying;
  }

  const waitsBefore = (write: TurnWrite) => {
    const own = turns.find(({ id }) => id === write.id);
    return turns.some(
      (turn) => turn !== own && conversationOf(turn.write) === conversationOf(write) && turn.at < (own?.at ?? Infinity),
    );
  };

  return {
    list: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    retry,
    async settle({ workflowId, sessionId }) {
      if (shown.some((turn) => turn.sessionId === sessionId && turn.workflowId === workflowId)) await retry();
    },
    use(next) {
      if (next === owner) return;
      owner = next;
      if (owner === undefined) show([]);
      else void load().then(() => (turns.length > 0 ? retry() : undefined));
    },
    async through(write, make) {
      if (waitsBefore(write)) await retry();
      try {
        if (waitsBefore(write)) throw waiting();
        const made = await make();
        if (turns.some(({ id }) => id === write.id)) await drop(write.id);
        return made;
      } catch (error) {
        if (!(error instanceof RunError) || !mayPass(error)) throw error;
        await keep(write);
        throw new RunError({ ...error.data, hint: kept });
      }
    },
  };
}

function mayPass(error: unknown): boolean {
  return error instanceof RunError && error.data.retryable;
}

function waiting(): RunError {
  return new RunError({
    code: "memory_error",
    message: "Earlier turns of this conversation are not saved yet.",
    hint: kept,
    retryable: true,
  });
}
