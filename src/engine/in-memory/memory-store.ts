import type { MessageStore, SessionKey, StoredMessage } from "../host.ts";
import type { Message } from "../model/message.ts";

/** A message as it is kept, with the time of its write in milliseconds since 1970. */
export interface KeptMessage extends StoredMessage {
  at: number;
}

/** A `MessageStore` in memory, with a look inside. */
export interface MemoryStore extends MessageStore {
  /** Everything that one session holds, oldest first. */
  messagesOf(key: SessionKey): readonly Message[];
  /** The same with ids and times. */
  keptOf(key: SessionKey): readonly KeptMessage[];
  /** Every session that holds a message. */
  sessions(): SessionKey[];
  /** Adds a message of an earlier time, or of this moment. */
  add(key: SessionKey, message: Message, at?: number): void;
  /** Puts another message in the place of one; null deletes it. An id that is gone is left alone. */
  replace(key: SessionKey, id: number, message: Message | null): void;
  /** Forgets everything. */
  reset(): void;
  /** The last id given. */
  lastId(): number;
  /** How many writes (`append` and `prune`) there have been. */
  writes: number;
}

/** What a store held when it was last written: its sessions, and the last id given, which is never given again. */
interface KeptSessions {
  lastId: number;
  sessions: readonly { key: SessionKey; messages: readonly KeptMessage[] }[];
}

/** Conversations kept in this process: for a tab, for hosts without a database, and for tests. */
export function memoryStore(now: () => number = () => 0, kept?: KeptSessions): MemoryStore {
  const sessions = new Map<string, KeptMessage[]>();
  const written = new Set<string>();
  let lastId = kept?.lastId ?? 0;
  const nameOf = (key: SessionKey) => JSON.stringify([key.workflowId, key.sessionId]);
  for (const { key, messages } of kept?.sessions ?? []) sessions.set(nameOf(key), [...messages]);
  const keptOf = (key: SessionKey) => sessions.get(nameOf(key)) ?? [];
  const messagesOf = (key: SessionKey) => keptOf(key).map((kept) => kept.message);
  function keep(key: SessionKey, messages: KeptMessage[]): void {
    if (messages.length === 0) sessions.delete(nameOf(key));
    else sessions.set(nameOf(key), messages);
  }

  const cut = (key: SessionKey, count: number) => keep(key, keptOf(key).slice(pruneStart(keptOf(key), count)));

  const store: MemoryStore = {
    writes: 0,
    messagesOf,
    keptOf,
    sessions: () =>
      [...sessions.keys()].map((name) => {
        const [workflowId, sessionId] = JSON.parse(name) as [string | null, string];
        return { workflowId, sessionId };
      }),
    load: (key, { limit }) => Promise.resolve(last(messagesOf(key), limit)),
    loadStored: (key, { limit, after = 0 }) =>
      Promise.resolve(
        last(
          keptOf(key).filter((kept) => kept.id > after),
          limit,
        ),
      ),
    append(key, messages, { id, keep: count } = {}) {
      store.writes += 1;
      if (id === undefined || !written.has(id)) {
        const at = now();
        keep(key, [...keptOf(key), ...messages.map((message) => ({ id: ++lastId, message, at }))]);
      }
      if (id !== undefined) written.add(id);
      if (count !== undefined) cut(key, count);
      return Promise.resolve();
    },
    prune(key, count) {
      store.writes += 1;
      cut(key, count);
      return Promise.resolve();
    },
    add: (key, message, at = now()) => keep(key, [...keptOf(key), { id: ++lastId, message, at }]),
    replace: (key, id, message) =>
      keep(
        key,
        keptOf(key).flatMap((kept) => (kept.id !== id ? [kept] : message === null ? [] : [{ ...kept, message }])),
      ),
    reset: () => sessions.clear(),
    lastId: () => lastId,
  };
  return store;
}

/** Where the part begins that stays: the last `count` messages, and the rest of the turn that they begin in. */
function pruneStart(messages: readonly KeptMessage[], count: number): number {
  const start = Math.max(0, messages.length - count);
  if (start === messages.length) return start;
  const question = messages.findLastIndex(({ message }, index) => index <= start && message.role === "user");
  return question === -1 ? start : question;
}

function last<Item>(items: readonly Item[], limit: number | undefined): Item[] {
  return limit === undefined ? items.slice() : items.slice(Math.max(0, items.length - limit));
}
