import { z } from "zod";
import { isJsonObject } from "../engine/json.ts";
import type { Message } from "../engine/model/message.ts";
import type { MemoryRepository, MemorySession } from "../stores/services.ts";
import { execute, query } from "./query.ts";
import type { SupabaseClient } from "./supabase-client.ts";

const pageSize = 1_000;
/** Sessions are counted from this many newest messages. */
const countedMessages = 10_000;

const messageRow = z.object({ message: z.custom<Message>(isMessage) }).transform((row) => row.message);
const useRow = z.object({ session_id: z.string(), created_at: z.string() });

/** Messages are written by the engine alone; the role tells a message from anything else. */
function isMessage(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { role, parts, text } = value;
  if (role === "user" || role === "assistant") return Array.isArray(parts);
  return (role === "system" || role === "tool") && typeof text === "string";
}

/** What agents remember, for the panels that show it; `studio_agent_memory`. */
export function createMemoryRepository({ database }: SupabaseClient): MemoryRepository {
  const table = () => database.from("studio_agent_memory");

  return {
    async sessions(workflowId) {
      const sessions = new Map<string, MemorySession>();
      for (let from = 0; from < countedMessages; from += pageSize) {
        const page = await query(
          "list the conversations",
          z.array(useRow),
          table()
            .select("session_id,created_at")
            .eq("workflow_id", workflowId)
            .order("id", { ascending: false })
            .range(from, from + pageSize - 1),
        );
        for (const { session_id: sessionId, created_at: lastUsedAt } of page) {
          const known = sessions.get(sessionId);
          if (known === undefined) sessions.set(sessionId, { sessionId, messages: 1, lastUsedAt });
          else known.messages += 1;
        }
        if (page.length < pageSize) break;
      }
      return [...sessions.values()];
    },

    async messages(workflowId, sessionId) {
      const all: Message[] = [];
      for (;;) {
        const page = await query(
          "load the conversation",
          z.array(messageRow),
          table()
            .select("message")
            .eq("workflow_id", workflowId)
            .eq("session_id", sessionId)
            .order("id")
            .range(all.length, all.length + pageSize - 1),
        );
        all.push(...page);
        if (page.length < pageSize) return all;
      }
    },

    clear: (workflowId, sessionId) =>
      execute("clear the conversation", table().delete().eq("workflow_id", workflowId).eq("session_id", sessionId)),
  };
}
