import { RunError } from "../../engine/errors.ts";
import type { Host } from "../../engine/host.ts";
import type { KnowledgeHit } from "../../engine/knowledge/knowledge.ts";
import { estimateTokens } from "../../engine/model/estimate-tokens.ts";
import type { RerankUse } from "../../engine/model/rerank-use.ts";
import { bookRerank } from "../../engine/spending/book-call.ts";
import type { SpendingLimit } from "../../engine/spending/spending-limit.ts";
import type { Ranking } from "../../providers/rerank/rerank-formats.ts";
import { rerankTexts } from "../../providers/rerank/rerank-texts.ts";
import type { RerankFields } from "./rerank-fields.ts";

/** A passage that was found; `relevance` is the reranking model's, on a scale of its own. */
export interface RankedHit extends KnowledgeHit {
  relevance?: number;
}

interface RerankTools {
  host: Host;
  nodeId: string;
  signal: AbortSignal;
  spending?: readonly SpendingLimit[];
  onRerank(use: RerankUse): void;
  /** Told where the order stays as it was. */
  warn(message: string, hint: string): void;
}

interface AskedRerank {
  query: string;
  hits: readonly KnowledgeHit[];
  limit: number;
  settings: RerankFields;
}

/** How many passages a search brings, so that the best of them can be chosen. */
export function candidates(limit: number, { rerank, rerankFrom }: RerankFields): number {
  return rerank === "off" ? limit : Math.max(limit, rerankFrom);
}

/** The best passages as the settings want them; in the order of the search where that fails. Rejects with the signal's reason. */
export async function rerankHits(asked: AskedRerank, tools: RerankTools): Promise<RankedHit[]> {
  const { hits, limit } = asked;
  const { signal, warn } = tools;
  try {
    return await rankHits(asked, tools);
  } catch (error) {
    signal.throwIfAborted();
    const { message, hint } =
      error instanceof RunError ? error.data : { message: String(error), hint: "Check the credential for reranking." };
    warn(`The passages could not be reranked, so they stay in the order of the search: ${message}`, hint);
    return hits.slice(0, limit);
  }
}

/** The best passages as the settings want them. Rejects with a RunError where that fails, or with the signal's reason. */
export async function rankHits(asked: AskedRerank, tools: Omit<RerankTools, "warn">): Promise<RankedHit[]> {
  const { hits, limit, settings } = asked;
  if (settings.rerank === "off" || hits.length < 2) return hits.slice(0, limit);
  const { ranked } = await ask(asked, settings.rerank, tools);
  const best = ranked.flatMap(({ index, relevance }): RankedHit[] => {
    const hit = hits[index];
    return hit ? [{ ...hit, relevance }] : [];
  });
  // A server that gives fewer than were asked for leaves the rest as it was.
  const rest = hits.filter(({ chunkId }) => best.every((one) => one.chunkId !== chunkId));
  return [...best, ...rest].slice(0, limit);
}

async function ask(
  { query, hits, limit, settings }: AskedRerank,
  format: Exclude<RerankFields["rerank"], "off">,
  { host, nodeId, signal, spending = [], onRerank }: Omit<RerankTools, "warn">,
): Promise<Ranking> {
  const { rerankModel: model, rerankCredential: credential, rerankPrice: price } = settings;
  if (format !== "tei" && model === "")
    throw problem("No reranking model is chosen.", "Enter it in the node's settings.");
  if (credential === "") {
    throw problem("No credential for reranking is chosen.", "Choose one in the node's settings.");
  }
  const texts = hits.map(textOf);
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text) + estimateTokens(query), 0);
  const name = model || "the reranking model";
  const maxUsd = price === null ? null : Math.max(tokenCost(tokens, price), searchCost(searchCount(texts), price));
  const booking = await bookRerank({ name, maxUsd }, { host, spending, nodeId, signal });
  if (!booking.ok) throw new RunError(booking.error);
  const startedAt = host.now();
  const request = { format, model, query, texts, limit, signal };
  const ranking = await rerankTexts(request, { host, credential, nodeId }).catch((error: unknown) => {
    // A request that was refused costs nothing; one that was stopped may have been answered already.
    booking.settle(signal.aborted ? null : 0);
    throw error;
  });
  const inputTokens = ranking.tokens ?? tokens;
  const { searches } = ranking;
  const costUsd =
    price === null ? null : searches === undefined ? tokenCost(inputTokens, price) : searchCost(searches, price);
  booking.settle(costUsd);
  onRerank({
    provider: format,
    model: name,
    texts: texts.length,
    usage: { inputTokens, outputTokens: 0 },
    estimated: ranking.tokens === undefined,
    costUsd,
    durationMs: host.now() - startedAt,
  });
  return ranking;
}

/** What the model reads of a passage: its words and where they stand. */
function textOf({ content, metadata: { heading } }: KnowledgeHit): string {
  return heading === "" ? content : `${heading}\n\n${content}`;
}

const tokenCost = (tokens: number, price: number) => (tokens * price) / 1_000_000;
const searchCost = (searches: number, price: number) => (searches * price) / 1_000;

/** A search has up to 100 texts of up to 500 tokens; longer ones count as several (cohere.com/pricing). */
function searchCount(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + Math.ceil(estimateTokens(text) / 500), 0) / 100);
}

function problem(message: string, hint: string): RunError {
  return new RunError({ code: "invalid_config", message, hint });
}
