import type { CollectionSummary } from "../../services/knowledge.ts";
import { counted } from "./ingest-text.ts";

/** What a collection holds, in words: how many documents and chunks, or which table. */
export function holdings({ table, documents, chunks }: CollectionSummary): string[] {
  return table ? [`Postgres table ${table.table}`] : [counted(documents, "document"), counted(chunks, "chunk")];
}
