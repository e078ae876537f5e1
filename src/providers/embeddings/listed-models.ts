import type { ModelListing } from "../../engine/model/provider.ts";

/** How the names of embedding models are known; those that only rank are none. */
const embeds = /embed|minilm|(?:^|[/_-])(?:bge|e5|gte|gtr|jina|voyage)-/i;
const ranks = /rerank/i;

/** The embedding models among those that a server lists, by their names: the suggested ones first, under whatever tag it has them. */
export function listedEmbeddingModels(suggested: readonly string[], listed: readonly ModelListing[]): string[] {
  const rank = (id: string) => {
    const at = suggested.findIndex((name) => id.includes(name));
    return at === -1 ? suggested.length : at;
  };
  return listed
    .filter(({ id, retired }) => !retired && !ranks.test(id) && (embeds.test(id) || rank(id) < suggested.length))
    .map(({ id }) => id)
    .toSorted((one, other) => rank(one) - rank(other));
}
