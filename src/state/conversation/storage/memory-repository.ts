import type { MemoryPlace } from "../../../engine/memory/memory.ts";
import type { Host } from "../../../engine/host.ts";
import type { MemoryStore } from "../../../engine/in-memory/memory-store.ts";
import type { MemoryRepository } from "../../../services/services.ts";
import { createConversationSeal } from "./conversation-seal.ts";
import { createConversationRetention, createDatabaseMemory } from "./database-memory.ts";
import type { ConversationStorage } from "./conversation-storage.ts";
import { createRedisConversations } from "./redis-conversations.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";
import { createTabConversations } from "./tab-conversations.ts";

/** What agents remember, wherever it is kept, for the panels that show it. */
export function createMemoryRepository(parts: {
  client: Pick<SupabaseClient, "database">;
  tab: MemoryStore;
  callFunction: Host["callFunction"];
}): MemoryRepository {
  const postgres = createDatabaseMemory(parts.client, createConversationSeal(parts.callFunction));
  const tab = createTabConversations(parts.tab);

  function storageOf(place: MemoryPlace): ConversationStorage {
    switch (place.storage) {
      case "postgres":
        return postgres;
      case "tab":
        return tab;
      case "redis":
        return createRedisConversations(parts.callFunction, place);
      default:
        return place satisfies never;
    }
  }

  return {
    async messages(workflowId, sessionId) {
      const entries = await postgres.entries({ workflowId, sessionId });
      return entries.flatMap((entry) => (entry.unreadable ? [] : [entry.message]));
    },
    conversations: (place, workflowId, request) => storageOf(place).conversations(workflowId, request),
    entries: ({ place, workflowId, sessionId }) => storageOf(place).entries({ workflowId, sessionId }),
    append: ({ place, workflowId, sessionId }, messages, options) =>
      storageOf(place).append({ workflowId, sessionId }, messages, options),
    replace: ({ place, workflowId, sessionId }, entry, message) =>
      storageOf(place).replace({ workflowId, sessionId }, entry, message),
    titles: (place, sessions) => storageOf(place).titles(sessions),
    ...createConversationRetention(parts.client),
    clear: ({ place, workflowId, sessionId }) => storageOf(place).clear({ workflowId, sessionId }),
  };
}
