import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import { costsNothing as isFree, embeddingCost } from "../../providers/embeddings/embedding-cost.ts";
import { embeddingProviderOf } from "../../providers/embeddings/embedding-providers.ts";
import { formatCost, formatTokens } from "../../ui/text/format-amount.ts";

/** US dollars for so many tokens; 0 where nobody charges, null where the price is not known. */
function embeddingUsd(embedding: KnowledgeEmbedding | null, tokens: number): number | null {
  if (costsNothing(embedding) || embedding === null) return 0;
  return embeddingCost(embedding, tokens);
}

/** Whether nobody charges for it, so that nobody has to be asked. */
export function costsNothing(embedding: KnowledgeEmbedding | null): boolean {
  if (embedding === null) return true;
  const provider = embeddingProviderOf(embedding.provider);
  return provider !== undefined && isFree(provider);
}

/** About how much embedding costs, before it is done. */
export function costText(embedding: KnowledgeEmbedding | null, tokens: number): string {
  const size = `About ${formatTokens(tokens)}`;
  if (embedding === null) return `${size}. Searched by keyword, so nothing is sent to a provider.`;
  const usd = embeddingUsd(embedding, tokens);
  if (usd === null) return `${size}, embedded with ${embedding.model}, whose price is not known here.`;
  return usd === 0 ? `${size}, embedded at no cost.` : `${size}: embedding costs about ${formatCost(usd)}.`;
}

/** What embedding costs where the length is not known yet; undefined where it costs nothing. */
export function rateText(embedding: KnowledgeEmbedding | null): string | undefined {
  if (embedding === null || costsNothing(embedding)) return undefined;
  const usd = embeddingUsd(embedding, 1_000_000);
  if (usd === null) return `They are embedded with ${embedding.model}, whose price is not known here.`;
  return `Embedding costs about ${formatCost(usd)} per million tokens; a page has some thousand.`;
}

/** Of a PDF about a fifth is text; the other kinds are text. */
const textShare = (name: string) => (/\.pdf$/i.test(name) ? 0.2 : 1);

/** About how many tokens a file has, before it is read: four bytes each. */
export function tokensOfFile({ name, size }: Pick<File, "name" | "size">): number {
  return Math.ceil((size * textShare(name)) / 4);
}
