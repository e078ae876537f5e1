import { nobodyApproves } from "../../engine/host.ts";
import { allOf, type Condition } from "../../engine/knowledge/filter/condition.ts";
import type { KnowledgeHit, KnowledgeMode } from "../../engine/knowledge/knowledge.ts";
import { readFilter, storedFilter } from "../../nodes/knowledge/passage-filter.ts";
import { passagesOf } from "../../nodes/knowledge/passages.ts";
import { planSearch } from "../../nodes/knowledge/plan-search.ts";
import type { CollectionSummary } from "../../services/knowledge.ts";
import type { Services } from "../../services/services.ts";
import type { TypedFilter } from "./search-filter.tsx";

/** What a test search asks. */
export interface TestSearch {
  text: string;
  mode: KnowledgeMode;
  limit: number;
  /** Names with values, and an expression, that both have to hold; empty ones ask for nothing. */
  filter: TypedFilter;
}

/** What came back, and how it was searched in the end. */
interface FoundHits {
  hits: KnowledgeHit[];
  mode: KnowledgeMode;
  /** Which passages were looked at. */
  filter: Condition | undefined;
  /** Milliseconds, the vector of the question included. */
  tookMs: number;
}

/** Searches as a knowledge base node would, but with every hit. Rejects with a RunError or a ServiceError. */
export async function searchCollection(
  services: Services,
  collection: CollectionSummary,
  { text, mode, limit, filter: { pairs, where } }: TestSearch,
  signal: AbortSignal,
): Promise<FoundHits> {
  const started = performance.now();
  const plan = planSearch(collection, { mode, embeddingModel: "", credential: "" });
  const host = services.createHost({ workflowId: collection.id, approve: nobodyApproves });
  const passages = passagesOf(collection, { knowledge: services.knowledge, callFunction: host.callFunction }, signal);
  const filter = allOf([storedFilter(pairs), await readFilter(where, passages.fields)]);
  const query = { text, limit, minScore: 0, ...(filter ? { filter } : {}) };
  const took = () => performance.now() - started;
  if (plan.mode === "keyword") {
    const hits = await passages.search({ ...query, mode: "keyword" });
    return { hits, mode: "keyword", filter, tookMs: took() };
  }
  const { model, credential } = plan.embedding;
  const access = { host, credential, nodeId: "test-search" };
  const vectors = await plan.embeddings.embed({ model, texts: [text], signal }, access);
  const [embedding = []] = vectors;
  const hits = await passages.search({ ...query, mode: plan.mode, embedding });
  return { hits, mode: plan.mode, filter, tookMs: took() };
}
