import { z } from "zod/mini";
import type { SessionKey } from "../../../engine/host.ts";
import { isJsonObject } from "../../../engine/json.ts";
import type { Message } from "../../../engine/model/message.ts";
import { RunError } from "../../../engine/errors.ts";
import { type ConversationRetention, type MemoryEntry, ServiceError } from "../../../services/services.ts";
import { type ConversationSeal, isSealed, unreadableWords } from "./conversation-seal.ts";
import { keyName } from "./conversations.ts";
import { type ConversationStorage, messageIsGone } from "./conversation-storage.ts";
import { messageColumns, sealedColumns } from "./message-store.ts";
import { execute, query } from "../../shared/storage/query.ts";
import { listParameters, readPage } from "../../shared/storage/read-pages.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

/** Rows per request; hosted Supabase hands out no more at once. */
const pageSize = 1_000;

const entryRow = z.pipe(
  z.object({
    id: z.number(),
    role: z.enum(["system", "user", "assistant", "tool"]),
    message: z.union([
      z.pipe(
        z.record(z.string(), z.json()).check(z.refine(isSealed)),
        z.transform((stored) => ({ stored })),
      ),
      z.pipe(
        z.custom<Message>(isMessage),
        z.transform((message) => ({ message })),
      ),
    ]),
    created_at: z.string(),
  }),
  z.transform(({ message, created_at: at, ...row }) => ({ ...row, at, ...message })),
);
type EntryRow = z.infer<typeof entryRow>;
const titleRow = z.pipe(
  z.object({
    workflow_id: z.nullable(z.string()),
    session_id: z.string(),
    title: z.nullable(z.string()),
    sealed_title: z.json(),
  }),
  z.transform((row) => ({
    key: { workflowId: row.workflow_id, sessionId: row.session_id },
    title: row.title,
    sealed: row.sealed_title,
  })),
);
const idRow = z.object({ id: z.number() });
const conversationRow = z.pipe(
  z.object({
    workflow_id: z.nullable(z.string()),
    session_id: z.string(),
    messages: z.number(),
    bytes: z.number(),
    last_used_at: z.string(),
    notes: z.boolean(),
    summarised: z.boolean(),
  }),
  z.transform((row) => ({
    workflowId: row.workflow_id,
    sessionId: row.session_id,
    messages: row.messages,
    bytes: row.bytes,
    lastUsedAt: row.last_used_at,
    notes: row.notes,
    summarised: row.summarised,
  })),
);

/** Messages are written by the engine and checked on import; the role tells a message from anything else. */
function isMessage(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { role, parts, text } = value;
  if (role === "user" || role === "assistant") return Array.isArray(parts);
  return (role === "system" || role === "tool") && typeof text === "string";
}

/** Conversations in `studio_agent_memory`, as row level security shows them; encrypted ones are shown in plain text. */
export function createDatabaseMemory(
  { database }: Pick<SupabaseClient, "database">,
  seal: ConversationSeal,
): ConversationStorage {
  const table = () => database.from("studio_agent_memory");

  async function toEntries(key: SessionKey, rows: readonly EntryRow[]): Promise<MemoryEntry[]> {
    const encrypted = rows.flatMap((row) => ("stored" in row ? [row] : []));
    const forms = encrypted.map(({ stored }) => stored);
    const opened = forms.length === 0 ? [] : await shown(seal.open(key, forms));
    const plain = new Map(encrypted.map(({ id }, index) => [id, opened[index] ?? "changed"]));
    return rows.map((row) => {
      const { id, at } = row;
      if (!("stored" in row)) return { id, at, message: row.message };
      const message = plain.get(id) ?? "changed";
      if (typeof message !== "string") return { id, at, message, stored: row.stored };
      return { id, at, message: withoutText(row.role), stored: row.stored, unreadable: unreadableWords[message] };
    });
  }

  /** How many conversations a search cannot find by what they are called. */
  async function countUnsearched(workflowId: string, ownOnly: boolean): Promise<number> {
    const kept = database.from("studio_memory_conversations").select("id").not("sealed_title", "is", null);
    const own = `workflow_id.eq.${workflowId}`;
    const request = kept.or(ownOnly ? own : `${own},workflow_id.is.null`).limit(pageSize);
    return (await query("count the encrypted conversations", z.array(z.unknown()), request)).length;
  }

  return {
    async conversations(workflowId, { ownOnly = false, ...request }) {
      const filter = { ...listParameters(request), p_workflow_id: workflowId, p_shared: !ownOnly };
      const listed = database.rpc("studio_list_conversations", filter);
      const page = readPage("list the conversations", conversationRow, listed, request);
      if ((request.search ?? "").trim() === "") return page;
      const [found, unsearched] = await Promise.all([page, countUnsearched(workflowId, ownOnly)]);
      return { ...found, unsearched };
    },

    async entries(key) {
      const { workflowId, sessionId } = key;
      const all: EntryRow[] = [];
      for (;;) {
        let request = table().select("id,role,message,created_at").eq("session_id", sessionId);
        request = workflowId === null ? request.is("workflow_id", null) : request.eq("workflow_id", workflowId);
        const last = all.at(-1);
        if (last) request = request.gt("id", last.id);
        const page = await query("load the conversation", z.array(entryRow), request.order("id").limit(pageSize));
        all.push(...page);
        if (page.length < pageSize) return toEntries(key, all);
      }
    },

    async append(key, messages, { encrypt = false } = {}) {
      const place = { workflow_id: key.workflowId, session_id: key.sessionId };
      const now = new Date().toISOString();
      const toSeal = messages.filter(({ stored }) => encrypt && stored === undefined);
      const sealed = await shown(sealedColumns(seal, key, messagesOf(toSeal)));
      const columns = new Map(toSeal.map((each, index) => [each, sealed[index]]));
      const rows = messages.map((each) => {
        // What was encrypted for this conversation goes back as it was.
        const kept = each.stored && { role: each.message.role, content: "", message: each.stored };
        const written = kept ?? columns.get(each) ?? messageColumns(each.message);
        return { ...place, ...written, created_at: each.at ?? now };
      });
      await execute("save the messages", table().insert(rows));
    },

    async titles(keys) {
      const rows: z.infer<typeof titleRow>[] = [];
      for (let start = 0; start < keys.length; start += pageSize) {
        const asked = database.rpc("studio_conversation_titles", { p_keys: keys.slice(start, start + pageSize) });
        rows.push(...(await query("read what the conversations are called", z.array(titleRow), asked)));
      }
      const sealed = rows.filter(({ title }) => title === null);
      const titles = sealed.map(({ key, sealed: stored }) => ({ key, stored }));
      // Without the function a list shows the sessions' ids.
      const opened = await seal.openTitles(titles).catch(() => titles.map(() => null));
      const found = new Map(rows.map(({ key, title }) => [keyName(key), title]));
      sealed.forEach(({ key }, index) => found.set(keyName(key), opened[index] ?? null));
      return keys.map((key) => found.get(keyName(key)) ?? null);
    },

    async replace(key, { id, stored }, message) {
      const [columns] = message && stored !== undefined ? await shown(sealedColumns(seal, key, [message])) : [];
      const request = message === null ? table().delete() : table().update(columns ?? messageColumns(message));
      const changed = await query("change the message", z.array(idRow), request.eq("id", id).select("id"));
      if (changed.length === 0) throw messageIsGone();
    },

    clear(key) {
      const session = { p_workflow_id: key.workflowId, p_session_id: key.sessionId, p_keep: 0 };
      return execute("clear the conversation", database.rpc("studio_prune_memory", session));
    },
  };
}

/** What the function says, as a service says it. */
async function shown<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    throw new ServiceError("server", error.data.message, error.data.hint);
  }
}

const messagesOf = (entries: readonly { message: Message }[]) => entries.map(({ message }) => message);

/** In the place of a message that cannot be read. */
function withoutText(role: Message["role"]): Message {
  switch (role) {
    case "system":
      return { role, text: "" };
    case "user":
    case "assistant":
      return { role, parts: [] };
    case "tool":
      return { role, callId: "", toolName: "", ok: false, text: "" };
    default:
      return role satisfies never;
  }
}

/** Conversations that one call deletes. */
const mostPruned = 200;
const retentionName = "conversation-retention";
const retentionRow = z.pipe(
  z.object({ value: z.object({ keepDays: z.nullable(z.number()) }) }),
  z.transform((row): ConversationRetention => row.value),
);

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
