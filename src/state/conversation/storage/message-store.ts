import type { SupabaseClient } from "@supabase/supabase-js";
import type { Host, MessageStore, SessionKey, StoredMessage } from "../../../engine/host.ts";
import { messageText, type Message } from "../../../engine/model/message.ts";
import { RunError } from "../../../engine/errors.ts";
import { wellFormed } from "../../../engine/well-formed.ts";
import type { DatabaseTypes } from "../../shared/storage/database-types.ts";
import { type ConversationSeal, createConversationSeal, isSealed, unreadable } from "./conversation-seal.ts";

/** What it needs of Supabase: tables and SQL functions, with the signed-in user's rights. */
export type Database = Pick<SupabaseClient<DatabaseTypes>, "from" | "rpc">;

const table = "studio_agent_memory";
/** Rows per request; hosted Supabase hands out no more at once. */
const pageSize = 1000;

/** Which part of a conversation: at most `limit` messages, the newest, with ids above `after`. */
interface Range {
  limit?: number;
  after?: number;
  signal?: AbortSignal;
}

/** Both ways to keep conversations in Postgres; each reads what the other has written. */
export function createMessageStores(
  database: Database,
  callFunction: Host["callFunction"],
): Pick<Host, "messages" | "encryptedMessages"> {
  const seal = createConversationSeal(callFunction);
  return {
    messages: createMessageStore(database, { seal, encrypt: false }),
    encryptedMessages: createMessageStore(database, { seal, encrypt: true }),
  };
}

/**
 * Conversations in Postgres, one row a message, in the order of the identity column; row level security keeps them to
 * their owner. The messages of one turn are one write: all or none. `encryption` reads encrypted messages, and with
 * `encrypt` writes them; without it those are refused. Rejects with a RunError of code `memory_error`.
 */
export function createMessageStore(
  database: Database,
  encryption?: { seal: ConversationSeal; encrypt: boolean },
): MessageStore {
  const loadStored = async (key: SessionKey, { limit, after, signal }: Range): Promise<StoredMessage[]> => {
    const newest: StoredMessage[] = [];
    const wanted = limit ?? Number.POSITIVE_INFINITY;
    while (newest.length < wanted) {
      const size = Math.min(pageSize, wanted - newest.length);
      const page = await loadPage(database, key, { before: newest.at(-1)?.id, after, size, signal });
      newest.push(...page);
      if (page.length < size) break;
    }
    return opened(key, newest.toReversed(), encryption?.seal, signal);
  };

  return {
    loadStored,
    load: async (key, options) => (await loadStored(key, options)).map((stored) => stored.message),

    async append(key, messages, { id = null, keep = null } = {}) {
      if (messages.length === 0) return;
      const stored = encryption?.encrypt
        ? await sealedColumns(encryption.seal, key, messages)
        : messages.map(messageColumns);
      const { error, status } = await database.rpc("studio_remember_turn", {
        p_workflow_id: key.workflowId,
        p_session_id: key.sessionId,
        p_messages: stored,
        p_write_id: id,
        p_keep: keep,
      });
      if (error) throw memoryError("saved", error, status);
    },

    async prune(key, keep) {
      const { error, status } = await database.rpc("studio_prune_memory", {
        p_workflow_id: key.workflowId,
        p_session_id: key.sessionId,
        p_keep: keep,
      });
      if (error) throw memoryError("pruned", error, status);
    },
  };
}

/** A message as its row holds it, in text that a database stores. */
export function messageColumns(said: Message) {
  const message = wellFormed(said);
  return { role: message.role, content: messageText(message), message };
}

/** The same of encrypted messages: what they are about stands nowhere in plain text, but who said each does. */
export async function sealedColumns(seal: ConversationSeal, key: SessionKey, said: readonly Message[]) {
  const messages = said.map((message) => wellFormed(message));
  const sealed = await seal.seal(key, messages);
  return messages.map(({ role }, position) => ({ role, content: "", message: sealed[position] }));
}

/** With every message in plain text. Rejects when one of them cannot be read: a conversation has no holes. */
async function opened(
  key: SessionKey,
  rows: readonly StoredMessage[],
  seal: ConversationSeal | undefined,
  signal: AbortSignal | undefined,
): Promise<StoredMessage[]> {
  const encrypted = rows.filter(({ message }) => isSealed(message));
  if (encrypted.length === 0) return [...rows];
  if (!seal) throw unreadable("key");
  const stored = encrypted.map(({ message }) => message);
  const messages = await seal.open(key, stored, signal);
  const plain = new Map(encrypted.map(({ id }, index) => [id, messages[index]]));
  return rows.map((row) => {
    const message = plain.get(row.id) ?? row.message;
    if (typeof message === "string") throw unreadable(message);
    return { id: row.id, message };
  });
}

interface Page {
  before: number | undefined;
  after: number | undefined;
  size: number;
  signal: AbortSignal | undefined;
}

async function loadPage(database: Database, key: SessionKey, page: Page): Promise<StoredMessage[]> {
  const { before, after, size, signal } = page;
  let query = database.from(table).select("id, message").eq("session_id", key.sessionId);
  query = key.workflowId === null ? query.is("workflow_id", null) : query.eq("workflow_id", key.workflowId);
  if (before !== undefined) query = query.lt("id", before);
  if (after !== undefined) query = query.gt("id", after);
  const request = query.order("id", { ascending: false }).limit(size);
  const { data, error, status } = await (signal === undefined ? request : request.abortSignal(signal));
  signal?.throwIfAborted();
  if (error) throw memoryError("loaded", error, status);
  return storedMessages(data);
}

/** Messages were written by this studio, so they are not checked again. */
export function storedMessages(rows: readonly { id: number; message: unknown }[]): StoredMessage[] {
  return rows.map(({ id, message }) => ({ id, message: message as Message }));
}

/**
 * Whether a request may succeed later: nobody answered it, or somebody who was busy, restarting or wanted a new session. A full
 * account (507) makes no room by itself.
 */
function mayPass(status: number): boolean {
  if (status === 507) return false;
  return status === 0 || status === 401 || status === 408 || status === 429 || status >= 500;
}

/** Why the database did not do it, in words, with its code as the cause. `status` is that of HTTP, 0 without an answer. */
export function memoryError(done: string, error: { message: string; code?: string }, status: number): RunError {
  return new RunError({
    code: "memory_error",
    message: `The conversation could not be ${done}: ${error.message || "the database did not answer"}.`,
    hint: "Check that you are online and signed in. The run continues without this memory.",
    retryable: mayPass(status),
    ...(error.code ? { cause: error.code } : {}),
  });
}
