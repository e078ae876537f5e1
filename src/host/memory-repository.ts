import type { MemoryPlace } from "../engine/agent/memory.ts";
import type { Host } from "../engine/host.ts";
import type { MemoryStore } from "../engine/testing/memory-store.ts";
import type { MemoryRepository } from "../stores/services.ts";
import { createConversationSeal } from "./conversation-seal.ts";
import { createConversationRetention, createDatabaseMemory } from "./database-memory.ts";
import type { MemoryShelf } from "./memory-shelf.ts";
import { createRedisShelf } from "./redis-shelf.ts";
import type { SupabaseClient } from "./supabase-client.ts";
import { createTabShelf } from "./tab-memory.ts";

/** What agents remember, wherever it is kept, for the panels that show it. */
export function createMemoryRepository(parts: {
  client: Pick<SupabaseClient, "database">;
  tab: MemoryStore;
  callFunction: Host["callFunction"];
}): MemoryRepository {
  const postgres = createDatabaseMemory(parts.client, createConversationSeal(parts.callFunction));
  const tab = createTabShelf(parts.tab);

  function shelfOf(place: MemoryPlace): MemoryShelf {
    switch (place.storage) {
      case "postgres":
        return postgres;
      case "tab":
        return tab;
      case "redis":
        return createRedisShelf(parts.callFunction, place);
      default:
        return place satisfies never;
    }
  }

  return {
    async messages(workflowId, sessionId) {
      const entries = await postgres.entries({ workflowId, sessionId });
      return entries.flatMap((entry) => (entry.unreadable ? [] : [entry.message]));
    },
    conversations: (place, workflowId, request) => shelfOf(place).conversations(workflowId, request),
    entries: ({ place, workflowId, sessionId }) => shelfOf(place).entries({ workflowId, sessionId }),
    append: ({ place, workflowId, sessionId }, messages, options) =>
      shelfOf(place).append({ workflowId, sessionId }, messages, options),
    replace: ({ place, workflowId, sessionId }, entry, message) =>
      shelfOf(place).replace({ workflowId, sessionId }, entry, message),
    titles: (place, sessions) => shelfOf(place).titles(sessions),
    ...createConversationRetention(parts.client),
    clear: ({ place, workflowId, sessionId }) => shelfOf(place).clear({ workflowId, sessionId }),
  };
}
