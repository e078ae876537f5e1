import { z } from "zod";
import { isJsonObject } from "../engine/json.ts";
import type { Message } from "../engine/model/message.ts";
import type { ConversationRetention, MemoryEntry } from "../stores/services.ts";
import { keyName } from "./conversations.ts";
import { type MemoryShelf, messageIsGone } from "./memory-shelf.ts";
import { messageColumns } from "./message-store.ts";
import { execute, query } from "./query.ts";
import { listParameters, readPage } from "./read-pages.ts";
import type { SupabaseClient } from "./supabase-client.ts";

/** Rows per request; hosted Supabase hands out no more at once. */
const pageSize = 1_000;

const entryRow = z
  .object({ id: z.number(), message: z.custom<Message>(isMessage), created_at: z.string() })
  .transform(({ id, message, created_at: at }) => ({ id, message, at }));
const titleRow = z
  .object({ workflow_id: z.string().nullable(), session_id: z.string(), title: z.string() })
  .transform((row) => ({ workflowId: row.workflow_id, sessionId: row.session_id, title: row.title }));
const idRow = z.object({ id: z.number() });
const conversationRow = z
  .object({
    workflow_id: z.string().nullable(),
    session_id: z.string(),
    messages: z.number(),
    bytes: z.number(),
    last_used_at: z.string(),
    notes: z.boolean(),
    summarised: z.boolean(),
  })
  .transform((row) => ({
    workflowId: row.workflow_id,
    sessionId: row.session_id,
    messages: row.messages,
    bytes: row.bytes,
    lastUsedAt: row.last_used_at,
    notes: row.notes,
    summarised: row.summarised,
  }));

/** Messages are written by the engine and checked on import; the role tells a message from anything else. */
function isMessage(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { role, parts, text } = value;
  if (role === "user" || role === "assistant") return Array.isArray(parts);
  return (role === "system" || role === "tool") && typeof text === "string";
}

/** Conversations in `studio_agent_memory`, as row level security shows them. */
export function createDatabaseMemory({ database }: Pick<SupabaseClient, "database">): MemoryShelf {
  const table = () => database.from("studio_agent_memory");

  return {
    conversations(workflowId, { ownOnly = false, ...request }) {
      const filter = { ...listParameters(request), p_workflow_id: workflowId, p_shared: !ownOnly };
      const listed = database.rpc("studio_list_conversations", filter);
      return readPage("list the conversations", conversationRow, listed, request);
    },

    async entries({ workflowId, sessionId }) {
      const all: MemoryEntry[] = [];
      for (;;) {
        let request = table().select("id,message,created_at").eq("session_id", sessionId);
        request = workflowId === null ? request.is("workflow_id", null) : request.eq("workflow_id", workflowId);
        const last = all.at(-1);
        if (last) request = request.gt("id", last.id);
        const page = await query("load the conversation", z.array(entryRow), request.order("id").limit(pageSize));
        all.push(...page);
        if (page.length < pageSize) return all;
      }
    },

    append(key, messages) {
      const place = { workflow_id: key.workflowId, session_id: key.sessionId };
      const now = new Date().toISOString();
      const rows = messages.map(({ message, at = now }) => ({ ...place, ...messageColumns(message), created_at: at }));
      return execute("save the messages", table().insert(rows));
    },

    async titles(keys) {
      const found = new Map<string, string>();
      for (let start = 0; start < keys.length; start += pageSize) {
        const asked = database.rpc("studio_conversation_titles", { p_keys: keys.slice(start, start + pageSize) });
        const rows = await query("read what the conversations are called", z.array(titleRow), asked);
        for (const { workflowId, sessionId, title } of rows) found.set(keyName({ workflowId, sessionId }), title);
      }
      return keys.map((key) => found.get(keyName(key)) ?? null);
    },

    async replace(_key, { id }, message) {
      const request = message === null ? table().delete() : table().update(messageColumns(message));
      const changed = await query("change the message", z.array(idRow), request.eq("id", id).select("id"));
      if (changed.length === 0) throw messageIsGone();
    },

    clear(key) {
      const session = { p_workflow_id: key.workflowId, p_session_id: key.sessionId, p_keep: 0 };
      return execute("clear the conversation", database.rpc("studio_prune_memory", session));
    },
  };
}

/** Conversations that one call deletes. */
const mostPruned = 200;
const retentionName = "conversation-retention";
const retentionRow = z
  .object({ value: z.object({ keepDays: z.number().nullable() }) })
  .transform((row): ConversationRetention => row.value);

/** For how long the account's conversations are kept. */
export function createConversationRetention({ database }: Pick<SupabaseClient, "database">) {
  const settings = () => database.from("studio_settings");
  return {
    async retention(): Promise<ConversationRetention> {
      const stored = settings().select("value").eq("name", retentionName);
      const [own] = await query("read how long conversations are kept", z.array(retentionRow), stored);
      return own ?? { keepDays: null };
    },
    async setRetention({ keepDays }: ConversationRetention): Promise<void> {
      const row = { name: retentionName, value: { keepDays } };
      await execute("change how long conversations are kept", settings().upsert(row, { onConflict: "owner,name" }));
      let pruned: number;
      do {
        pruned = await query("delete old conversations", z.number(), database.rpc("studio_prune_conversations", {}));
      } while (pruned >= mostPruned);
    },
  };
}
