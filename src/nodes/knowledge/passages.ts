import type { Host } from "../../engine/host.ts";
import type { KnowledgeCollection, KnowledgeHit, KnowledgeQuery } from "../../engine/knowledge/knowledge.ts";
import type { KnowledgeField } from "../../engine/knowledge/filter/check-filter.ts";
import { tableFields } from "../../engine/knowledge/postgres-table.ts";
import { searchTable } from "./table/search-table.ts";

/** What a collection is asked for, whatever holds its passages. Rejects with a RunError, or with the signal's reason. */
export interface Passages {
  /** What passages can be filtered by; null where there are no documents yet. */
  fields(): Promise<readonly KnowledgeField[] | null>;
  search(query: Omit<KnowledgeQuery, "collection" | "signal">): Promise<KnowledgeHit[]>;
}

/** What a collection's passages are read with: the store of documents, and the function that reads tables. */
export interface PassageHost extends Pick<Host, "callFunction"> {
  knowledge: Pick<Host["knowledge"], "fields" | "search">;
}

/** The passages of a collection: chunks of its documents, or rows of the table that it stands for. */
export function passagesOf(
  { id, table }: Pick<KnowledgeCollection, "id" | "table">,
  host: PassageHost,
  signal: AbortSignal,
): Passages {
  if (table) {
    return {
      fields: () => Promise.resolve(tableFields(table)),
      search: (query) => searchTable(table, { ...query, collection: id }, { host, signal }),
    };
  }
  return {
    fields: () => host.knowledge.fields(id, { signal }),
    search: (query) => host.knowledge.search({ ...query, collection: id, signal }),
  };
}
