import type { PostgrestClient } from "@supabase/postgrest-js";
import type { MessageStore, SessionKey } from "../engine/host.ts";
import { messageText, type Message } from "../engine/model/message.ts";
import { RunError } from "../engine/run/errors.ts";

/** What it needs of Supabase: tables, with the signed-in user's rights. */
export type Database = Pick<PostgrestClient, "from">;

const table = "studio_agent_memory";
/** Rows per request; hosted Supabase hands out no more at once. */
const pageSize = 1000;

interface MemoryRow {
  id: number;
  message: Message;
}

/**
 * Conversations in Postgres, one row a message, in the order of the identity column; row level security keeps them to
 * their owner. The messages of one turn are one insert: all or none. Rejects with a RunError of code `memory_error`.
 */
export function createMessageStore(database: Database): MessageStore {
  return {
    async load(key, { limit, signal }) {
      const newest: MemoryRow[] = [];
      const wanted = limit ?? Number.POSITIVE_INFINITY;
      while (newest.length < wanted) {
        const size = Math.min(pageSize, wanted - newest.length);
        const page = await loadPage(database, key, newest.at(-1)?.id, size, signal);
        newest.push(...page);
        if (page.length < size) break;
      }
      return newest.toReversed().map((row) => row.message);
    },

    async append(key, messages) {
      if (messages.length === 0) return;
      const rows = messages.map((message) => ({
        workflow_id: key.workflowId,
        session_id: key.sessionId,
        role: message.role,
        content: messageText(message),
        message,
      }));
      const { error } = await database.from(table).insert(rows);
      if (error) throw memoryError("saved", error);
    },

    async prune(key, keep) {
      const boundary = keep === 0 ? undefined : await rowBefore(database, key, keep);
      if (boundary === null) return;
      let query = database.from(table).delete().eq("session_id", key.sessionId);
      query = key.workflowId === null ? query.is("workflow_id", null) : query.eq("workflow_id", key.workflowId);
      const { error } = await (boundary === undefined ? query : query.lte("id", boundary));
      if (error) throw memoryError("pruned", error);
    },
  };
}

async function loadPage(
  database: Database,
  key: SessionKey,
  before: number | undefined,
  size: number,
  signal: AbortSignal | undefined,
): Promise<MemoryRow[]> {
  let query = database.from(table).select("id, message").eq("session_id", key.sessionId);
  query = key.workflowId === null ? query.is("workflow_id", null) : query.eq("workflow_id", key.workflowId);
  if (before !== undefined) query = query.lt("id", before);
  const page = query.order("id", { ascending: false }).limit(size);
  const { data, error } = await (signal === undefined ? page : page.abortSignal(signal));
  signal?.throwIfAborted();
  if (error) throw memoryError("loaded", error);
  return data as MemoryRow[];
}

/** The id of the newest row that falls out when `keep` rows stay; null when none does. */
async function rowBefore(database: Database, key: SessionKey, keep: number): Promise<number | null> {
  let query = database.from(table).select("id").eq("session_id", key.sessionId);
  query = key.workflowId === null ? query.is("workflow_id", null) : query.eq("workflow_id", key.workflowId);
  const { data, error } = await query.order("id", { ascending: false }).range(keep, keep);
  if (error) throw memoryError("pruned", error);
  return (data as { id: number }[])[0]?.id ?? null;
}

function memoryError(done: string, error: { message: string; code?: string }): RunError {
  return new RunError({
    code: "memory_error",
    message: `The conversation could not be ${done}: ${error.message || "the database did not answer"}.`,
    hint: "Check that you are online and signed in. The run goes on without this memory.",
    retryable: true,
    ...(error.code ? { cause: error.code } : {}),
  });
}
