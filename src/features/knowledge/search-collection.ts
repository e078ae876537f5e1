import { nobodyApproves } from "../../engine/host.ts";
import { allOf, type Condition } from "../../engine/knowledge/filter/condition.ts";
import type { KnowledgeMode } from "../../engine/knowledge/knowledge.ts";
import { readFilter, storedFilter } from "../../nodes/knowledge/passage-filter.ts";
import { passagesOf } from "../../nodes/knowledge/passages.ts";
import { type RerankFields } from "../../nodes/knowledge/rerank-fields.ts";
import { candidates, type RankedHit, rankHits } from "../../nodes/knowledge/rerank-hits.ts";
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
  rerank: RerankFields;
}

/** What came back, and how it was searched in the end. */
interface FoundHits {
  hits: RankedHit[];
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
  { text, mode, limit, filter: { pairs, where }, rerank }: TestSearch,
  signal: AbortSignal,
): Promise<FoundHits> {
  const started = performance.now();
  const plan = planSearch(collection, { mode, embeddingModel: "", credential: "" });
  const host = services.createHost({ workflowId: collection.id, approve: nobodyApproves });
  const passages = passagesOf(collection, { knowledge: services.knowledge, callFunction: host.callFunction }, signal);
  const filter = allOf([storedFilter(pairs), await readFilter(where, passages.fields)]);
  const nodeId = "test-search";
  const query = { text, limit: candidates(limit, rerank), minScore: 0, ...(filter ? { filter } : {}) };
  const found = async () => {
    if (plan.mode === "keyword") return await passages.search({ ...query, mode: "keyword" });
    const { model, credential } = plan.embedding;
    const vectors = await plan.embeddings.embed({ model, texts: [text], signal }, { host, credential, nodeId });
    const [embedding = []] = vectors;
    return await passages.search({ ...query, mode: plan.mode, embedding });
  };
  const ranked = { query: text, hits: await found(), limit, settings: rerank };
  const hits = await rankHits(ranked, { host, nodeId, signal, onRerank: () => {} });
  return { hits, mode: plan.mode, filter, tookMs: performance.now() - started };
}
