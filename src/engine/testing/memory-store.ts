import type { MessageStore, SessionKey } from "../host.ts";
import type { Message } from "../model/message.ts";

/** A `MessageStore` in memory, with a look inside. */
export interface MemoryStore extends MessageStore {
  /** Everything that one session holds, oldest first. */
  messagesOf(key: SessionKey): readonly Message[];
  /** How many writes (`append` and `prune`) there have been. */
  writes: number;
}

function nameOf(key: SessionKey): string {
  return JSON.stringify([key.workflowId, key.sessionId]);
}

/** Conversations kept in this process, for tests and for hosts without a database. */
export function memoryStore(): MemoryStore {
  const sessions = new Map<string, Message[]>();
  const messagesOf = (key: SessionKey) => sessions.get(nameOf(key)) ?? [];
  const store: MemoryStore = {
    writes: 0,
    messagesOf,
    load(key, { limit }) {
      const messages = messagesOf(key);
      return Promise.resolve(
        limit === undefined ? messages.slice() : messages.slice(Math.max(0, messages.length - limit)),
      );
    },
    append(key, messages) {
      store.writes += 1;
      sessions.set(nameOf(key), [...messagesOf(key), ...messages]);
      return Promise.resolve();
    },
    prune(key, keep) {
      store.writes += 1;
      sessions.set(nameOf(key), keep === 0 ? [] : messagesOf(key).slice(-keep));
      return Promise.resolve();
    },
  };
  return store;
}
