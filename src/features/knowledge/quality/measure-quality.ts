import { nobodyApproves } from "../../../engine/host.ts";
import type { KnowledgeMode } from "../../../engine/knowledge/knowledge.ts";
import { addCost } from "../../../engine/model/usage.ts";
import { deepest } from "../../../evaluation/retrieval/measures.ts";
import { ranksOf } from "../../../evaluation/retrieval/right-passage.ts";
import { planSearch } from "../../../nodes/knowledge/plan-search.ts";
import { candidates, rankHits } from "../../../nodes/knowledge/rerank-hits.ts";
import { noRerank, type RerankFields } from "../../../nodes/knowledge/rerank-fields.ts";
import { embedCounted } from "../../../providers/embeddings/embed-counted.ts";
import type { CollectionSummary } from "../../../services/knowledge.ts";
import type { MeasuredWay, QualityResult, StoredQuestion } from "../../../services/retrieval-quality.ts";
import { ServiceError, type Services } from "../../../services/services.ts";

/** Questions whose vectors are made in one request. */
const batch = 50;

/** Characters of a question that a measurement remembers. */
const shownQuestion = 300;

interface MeasureOptions {
  collection: CollectionSummary;
  questions: readonly StoredQuestion[];
  /** Off: only without. */
  rerank: RerankFields;
  signal: AbortSignal;
  /** Told how many of the searches are done. */
  onProgress(done: number, of: number): void;
}

/** Modes that a collection can be searched in; of equally good ones the first is the simplest. */
export function modesOf({ embedding }: Pick<CollectionSummary, "embedding">): KnowledgeMode[] {
  return embedding === null ? ["keyword"] : ["keyword", "hybrid", "semantic"];
}

/** How many requests a measurement makes of others. */
export function requestsOf(collection: CollectionSummary, questions: number, { rerank }: RerankFields) {
  const modes = modesOf(collection);
  return {
    embedding: modes.length === 1 ? 0 : Math.ceil(questions / batch),
    rerank: rerank === "off" ? 0 : modes.length * questions,
  };
}

/**
 * Searches for every question in every mode, as agents and steps do, but without a lowest score. Rejects with a RunError or a
 * ServiceError where a search fails, since a part of the questions measures nothing; or with the signal's reason.
 */
export async function measureQuality(
  { createHost }: Pick<Services, "createHost">,
  { collection, questions, rerank, signal, onProgress }: MeasureOptions,
): Promise<QualityResult> {
  if (questions.length === 0)
    throw new ServiceError("invalid", "There are no questions to measure with.", "Add some first.");
  const host = createHost({ workflowId: collection.id, approve: nobodyApproves });
  const tools = { host, nodeId: "quality", signal };
  let costUsd: number | null = 0;
  const onUse = (use: { costUsd: number | null }) => {
    costUsd = addCost(costUsd, use.costUsd);
  };
  const modes = modesOf(collection);
  const vectors = modes.length === 1 ? [] : await vectorsOf();
  const reranks = rerank.rerank === "off" ? [noRerank] : [noRerank, rerank];
  const ways: MeasuredWay[] = reranks.flatMap((settings) =>
    modes.map((mode) => ({ mode, rerank: settings.rerank === "off" ? null : nameOf(settings), ranks: [] })),
  );
  for (const [at, { question, passages }] of questions.entries()) {
    for (const [index, way] of ways.entries()) {
      const settings = index < modes.length ? noRerank : rerank;
      const embedding = way.mode === "keyword" ? undefined : vectors[at];
      const hits = await host.knowledge.search({
        collection: collection.id,
        text: question,
        mode: way.mode,
        limit: candidates(deepest, settings),
        minScore: 0,
        signal,
        ...(embedding ? { embedding } : {}),
      });
      const best = await rankHits({ query: question, hits, limit: deepest, settings }, { ...tools, onRerank: onUse });
      const found = best.map(({ content, parentText, metadata }) => ({
        document: metadata.document,
        content: parentText ?? content,
      }));
      way.ranks.push(ranksOf(found, passages));
      signal.throwIfAborted();
      onProgress(at * ways.length + index + 1, questions.length * ways.length);
    }
  }
  return {
    questions: questions.map(({ question }) => question.slice(0, shownQuestion)),
    ways,
    costUsd,
    documents: collection.documents,
    chunks: collection.chunks,
    embedding: collection.embedding?.model ?? null,
    chunking: collection.chunking,
  };

  async function vectorsOf(): Promise<number[][]> {
    const plan = planSearch(collection, { mode: "semantic", embeddingModel: "", credential: "" });
    if (plan.mode === "keyword") return [];
    const made: number[][] = [];
    for (let from = 0; from < questions.length; from += batch) {
      const texts = questions.slice(from, from + batch).map(({ question }) => question);
      const embedded = await embedCounted(plan.embeddings, { ...tools, embedding: plan.embedding, texts });
      onUse(embedded.use);
      made.push(...embedded.vectors);
    }
    return made;
  }
}

const nameOf = ({ rerank, rerankModel }: RerankFields) => (rerankModel === "" ? rerank : rerankModel);
