import type { MemoryStore } from "../../../engine/in-memory/memory-store.ts";
import { pageOfSessions } from "./conversations.ts";
import { type ConversationStorage, messageIsGone, titleOf } from "./conversation-storage.ts";

/** A tab's conversations, for the memory panel. */
export function createTabConversations(store: MemoryStore): ConversationStorage {
  return {
    async conversations(workflowId, request) {
      const sessions = store
        .sessions()
        .filter((key) => key.workflowId === null || key.workflowId === workflowId)
        .map((key) => {
          const kept = store.keptOf(key);
          const bytes = new TextEncoder().encode(JSON.stringify(kept.map((entry) => entry.message))).length;
          const lastUsedAt = new Date(kept.at(-1)?.at ?? 0).toISOString();
          return { ...key, messages: kept.length, bytes, lastUsedAt };
        });
      return pageOfSessions(sessions, request, (key) => titleOf(store.messagesOf(key)));
    },
    entries: async (key) =>
      store.keptOf(key).map(({ id, message, at }) => ({ id, message, at: new Date(at).toISOString() })),
    async append(key, messages) {
      for (const { message, at } of messages) store.add(key, message, at === undefined ? undefined : Date.parse(at));
    },
    titles: async (keys) => keys.map((key) => titleOf(store.messagesOf(key))),
    async replace(key, entry, message) {
      if (!store.keptOf(key).some((kept) => kept.id === entry.id)) throw messageIsGone();
      store.replace(key, entry.id, message);
    },
    clear: (key) => store.prune(key, 0),
  };
}
