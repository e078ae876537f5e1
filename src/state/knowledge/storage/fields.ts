import { z } from "zod/mini";
import type { KnowledgeStore } from "../../../engine/knowledge/knowledge.ts";
import type { Database } from "../../conversation/storage/message-store.ts";
import { isUuid } from "../../shared/storage/is-uuid.ts";
import { searchError } from "./search-failure.ts";

const fieldRows = z.array(
  z.object({
    name: z.string(),
    types: z.array(z.enum(["text", "number", "boolean"])),
    examples: z.array(z.union([z.string(), z.number(), z.boolean()])),
  }),
);

/** What the documents of a collection can be filtered by. */
export function createFields(database: Database): KnowledgeStore["fields"] {
  return async (collectionId, { signal } = {}) => {
    if (!isUuid(collectionId)) return null;
    const ask = <Data>(request: { abortSignal(signal: AbortSignal): Data } & Data) =>
      signal ? request.abortSignal(signal) : request;
    const { data, error } = await ask(database.rpc("studio_knowledge_fields", { p_collection_id: collectionId }));
    signal?.throwIfAborted();
    if (error) throw searchError(error);
    const fields = fieldRows.parse(data);
    if (fields.length > 0) return fields;
    const any = database.from("studio_knowledge_documents").select("id").eq("collection_id", collectionId);
    const found = await ask(any.is("deleted_at", null).limit(1));
    signal?.throwIfAborted();
    if (found.error) throw searchError(found.error);
    return found.data.length > 0 ? [] : null;
  };
}
