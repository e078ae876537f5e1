import { RunError } from "../../engine/errors.ts";
import type { Host } from "../../engine/host.ts";
import type { JsonObject } from "../../engine/json.ts";
import { allOf, type Condition } from "../../engine/knowledge/filter/condition.ts";
import type { KnowledgeCollection } from "../../engine/knowledge/knowledge.ts";
import type { RerankUse } from "../../engine/model/rerank-use.ts";
import type { EmbeddingUse } from "../../engine/model/embedding-use.ts";
import type { SpendingLimit } from "../../engine/spending/spending-limit.ts";
import { embedCounted } from "../../providers/embeddings/embed-counted.ts";
import { cachedVectors } from "./cached-vectors.ts";
import { readFilter, storedFilter } from "./passage-filter.ts";
import { passagesOf } from "./passages.ts";
import type { RerankFields } from "./rerank-fields.ts";
import { candidates, type RankedHit, rerankHits } from "./rerank-hits.ts";
import type { SearchPlan } from "./plan-search.ts";
import type { SearchFields } from "./search-fields.ts";
import { searchOutput } from "./search-output.ts";

/** Embedding models take some 8,000 tokens; a question needs far less. */
export const maxQueryChars = 4_000;

interface AskedSearch {
  collection: KnowledgeCollection;
  plan: SearchPlan;
  settings: Pick<SearchFields, "minScore" | "embeddingPrice"> & RerankFields;
  text: string;
  limit: number;
  /** What of the settings narrows the search; with templates filled in. */
  narrowedBy: Pick<SearchFields, "filter" | "where">;
  /** What a model narrows it by besides. */
  narrowedMore?: string;
}

interface SearchTools {
  host: Host;
  nodeId: string;
  signal: AbortSignal;
  /** The budgets of the agents that it is for, besides the host's limit. */
  spending?: readonly SpendingLimit[];
  /** Takes note of what the vector of the query took. */
  onUse(use: EmbeddingUse): void;
  /** Takes note of what putting passages into order took. */
  onRerank(use: RerankUse): void;
  /** Told where a search goes on with less: by words alone, or in its own order. */
  warn(message: string, hint: string): void;
}

/** What a search found, and how a model or a step gets it. Rejects with a RunError, or with the signal's reason. */
export async function searchCollection(
  asked: AskedSearch,
  tools: SearchTools,
): Promise<{ hits: RankedHit[]; output: JsonObject }> {
  const { collection, plan, limit, settings } = asked;
  const { minScore } = settings;
  const text = asked.text.trim().slice(0, maxQueryChars);
  const filter = await filterOf(asked, tools);
  const embedding = plan.mode === "keyword" ? undefined : await vectorOf(text, plan, asked, tools);
  const mode = embedding ? plan.mode : "keyword";
  const query = { text, mode, limit: candidates(limit, settings), minScore, ...(filter ? { filter } : {}) };
  const passages = passagesOf(collection, tools.host, tools.signal);
  const found = await passages.search(embedding ? { ...query, embedding } : query);
  const hits = await rerankHits({ query: text, hits: found, limit, settings }, tools);
  return { hits, output: searchOutput(hits, { collection: collection.name, mode, minScore, filter }) };
}

/** All filters at once: a model's never widens the author's. */
async function filterOf(
  { collection, narrowedBy, narrowedMore = "" }: AskedSearch,
  { host, signal }: SearchTools,
): Promise<Condition | undefined> {
  const { fields } = passagesOf(collection, host, signal);
  const own = await readFilter(narrowedBy.where, fields);
  return allOf([storedFilter(narrowedBy.filter), own, await readFilter(narrowedMore, fields)]);
}

type VectorPlan = Exclude<SearchPlan, { mode: "keyword" }>;

/** The query's vector; undefined where a hybrid search goes on without it. */
async function vectorOf(
  text: string,
  { embedding, embeddings, mode }: VectorPlan,
  { collection, settings }: AskedSearch,
  { host, nodeId, signal, spending, onUse, warn }: SearchTools,
): Promise<readonly number[] | undefined> {
  const kept = cachedVectors(host, embedding);
  const known = kept.of(text);
  if (known) return known;
  try {
    const request = { embedding, texts: [text], signal, host, nodeId, price: settings.embeddingPrice };
    const { vectors, use } = await embedCounted(embeddings, spending ? { ...request, spending } : request);
    onUse(use);
    const [vector] = vectors;
    if (vector) kept.keep(text, vector);
    return vector;
  } catch (error) {
    signal.throwIfAborted();
    if (mode === "semantic") throw error;
    const { message, hint } =
      error instanceof RunError ? error.data : { message: String(error), hint: "Check the collection's credential." };
    warn(`The query could not be embedded, so "${collection.name}" is searched by keyword: ${message}`, hint);
    return undefined;
  }
}
