import { nobodyApproves } from "../../engine/host.ts";
import type { JsonObject } from "../../engine/json.ts";
import type { KnowledgeHit, KnowledgeMode } from "../../engine/knowledge/knowledge.ts";
import { planSearch } from "../../nodes/knowledge/plan-search.ts";
import type { CollectionSummary } from "../../services/knowledge.ts";
import type { Services } from "../../services/services.ts";

/** What a test search asks. */
export interface TestSearch {
  text: string;
  mode: KnowledgeMode;
  limit: number;
  /** What the passages' metadata contain; empty asks for nothing. */
  filter: JsonObject;
}

/** What came back, and how it was searched in the end. */
interface FoundHits {
  hits: KnowledgeHit[];
  mode: KnowledgeMode;
  /** Milliseconds, the vector of the question included. */
  tookMs: number;
}

/** Searches as a knowledge base node would, but with every hit. Rejects with a RunError or a ServiceError. */
export async function searchCollection(
  services: Services,
  collection: CollectionSummary,
  { text, mode, limit, filter }: TestSearch,
  signal: AbortSignal,
): Promise<FoundHits> {
  const started = performance.now();
  const plan = planSearch(collection, { mode, embeddingModel: "", credential: "" });
  const query = { collection: collection.id, text, limit, minScore: 0, filter, signal };
  const took = () => performance.now() - started;
  if (plan.mode === "keyword") {
    return { hits: await services.knowledge.search({ ...query, mode: "keyword" }), mode: "keyword", tookMs: took() };
  }
  const host = services.createHost({ workflowId: collection.id, approve: nobodyApproves });
  const { model, credential } = plan.embedding;
  const access = { host, credential, nodeId: "test-search" };
  const vectors = await plan.embeddings.embed({ model, texts: [text], signal }, access);
  const hits = await services.knowledge.search({ ...query, mode: plan.mode, embedding: vectors[0] });
  return { hits, mode: plan.mode, tookMs: took() };
}
