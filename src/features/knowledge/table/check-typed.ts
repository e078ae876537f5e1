import { nobodyApproves } from "../../../engine/host.ts";
import type { KnowledgeEmbedding } from "../../../engine/knowledge/knowledge.ts";
import type { PostgresTable } from "../../../engine/knowledge/postgres-table.ts";
import { checkTable, type TableDraft } from "../../../nodes/knowledge/table/check-table.ts";
import type { Services } from "../../../services/services.ts";
import { embeddingProviderOf } from "../../../providers/embeddings/embedding-providers.ts";
import { shownError } from "../shown-error.ts";

/** Looks at a table and tries the model of its vectors with one word. Rejects with words for the form. */
export async function checkTyped(
  services: Services,
  draft: TableDraft,
  embedding: KnowledgeEmbedding | null,
): Promise<PostgresTable> {
  const host = services.createHost({ workflowId: "table", approve: nobodyApproves });
  const { signal } = new AbortController();
  const provider = embeddingProviderOf(embedding?.provider)?.embeddings;
  const embedOne =
    provider && embedding
      ? async () => {
          const { model, credential } = embedding;
          const vectors = await provider.embed({ model, texts: ["table"], signal }, { host, credential, nodeId: "" });
          return vectors[0] ?? [];
        }
      : undefined;
  try {
    return await checkTable(draft, { host, signal }, embedOne);
  } catch (error) {
    throw error instanceof Error ? shownError(error) : error;
  }
}
