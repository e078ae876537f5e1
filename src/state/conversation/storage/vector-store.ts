import type { VectorStore } from "../../../engine/host.ts";
import { vectorText } from "../../knowledge/storage/vector-text.ts";
import { type Database, memoryError, messageColumns, storedMessages } from "./message-store.ts";

/**
 * Vectors of remembered messages in Postgres (pgvector), over the conversations of the message store; both kept to their
 * owner by row level security. Rejects with a RunError of code `memory_error`.
 */
export function createVectorStore(database: Database): VectorStore {
  return {
    async append(key, messages, model, write) {
      if (messages.length === 0) return;
      const entries = messages.map(({ message, embedding }) => ({
        ...messageColumns(message),
        embedding: embedding && vectorText(embedding),
      }));
      const { error, status } = await database.rpc("studio_append_memory", {
        p_workflow_id: key.workflowId,
        p_session_id: key.sessionId,
        p_model: model,
        p_entries: entries,
        p_write_id: write?.id ?? null,
      });
      if (error) throw memoryError("saved", error, status);
    },

    async search(key, { embedding, model, limit, before, signal }) {
      const request = database.rpc("studio_search_memory", {
        p_workflow_id: key.workflowId,
        p_session_id: key.sessionId,
        p_model: model,
        p_embedding: vectorText(embedding),
        p_limit: limit,
        p_before: before ?? null,
      });
      const { data, error, status } = await (signal === undefined ? request : request.abortSignal(signal));
      signal?.throwIfAborted();
      if (error) throw memoryError("searched", error, status);
      return storedMessages(data).toSorted((a, b) => a.id - b.id);
    },
  };
}
