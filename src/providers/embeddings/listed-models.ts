import type { ModelListing } from "../../engine/model/provider.ts";

/** What servers of one's own usually have, the likeliest first. */
export const usualEmbeddingModels = ["nomic-embed-text", "mxbai-embed-large", "bge-m3"];

/** How the names of embedding models are known; those that only rank are none. */
const embeds = /embed|minilm|(?:^|[/_-])(?:bge|e5|gte|gtr|jina|voyage)-/i;
const ranks = /rerank/i;

/** The embedding models among those that a server lists, by their names: the suggested ones first, under whatever tag it has them. */
export function listedEmbeddingModels(suggested: readonly string[], listed: readonly ModelListing[]): string[] {
  const fitting = listed.filter(
    ({ id, retired }) => !retired && !ranks.test(id) && (embeds.test(id) || rankOf(suggested, id) < suggested.length),
  );
  return suggestedFirst(
    suggested,
    fitting.map(({ id }) => id),
  );
}

/** The suggested ones first, in the order in which they are suggested. */
export function suggestedFirst(suggested: readonly string[], ids: readonly string[]): string[] {
  return ids.toSorted((one, other) => rankOf(suggested, one) - rankOf(suggested, other));
}

function rankOf(suggested: readonly string[], id: string): number {
  const at = suggested.findIndex((name) => id.includes(name));
  return at === -1 ? suggested.length : at;
}
