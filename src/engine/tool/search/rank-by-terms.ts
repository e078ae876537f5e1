import { searchTerms } from "./search-terms.ts";

/** The search terms of a document, each with how often it stands there, weighted by where. */
export type WeightedTerms = Map<string, number>;

/** BM25's usual constants: how soon repetition stops to count, and how much length does. */
const saturation = 1.2;
const lengthShare = 0.75;

/** Finds documents by words: the indices of the best fitting ones, at most `limit`, none that has no word of the query. */
type Rank = (query: string, limit: number) => number[];

/** Ranks documents by BM25. Of equal ones the first comes first. */
export function rankByTerms(documents: readonly WeightedTerms[]): Rank {
  const lengths = documents.map((terms) => [...terms.values()].reduce((sum, count) => sum + count, 0));
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents.length);
  const documentsWith = new Map<string, number>();
  for (const terms of documents)
    for (const term of terms.keys()) documentsWith.set(term, (documentsWith.get(term) ?? 0) + 1);

  function rarity(term: string): number {
    const count = documentsWith.get(term) ?? 0;
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
  }

  function score(terms: WeightedTerms, length: number, query: ReadonlySet<string>): number {
    const longer = saturation * (1 - lengthShare + (lengthShare * length) / meanLength);
    let sum = 0;
    for (const term of query) {
      const count = terms.get(term);
      if (count !== undefined) sum += (rarity(term) * count * (saturation + 1)) / (count + longer);
    }
    return sum;
  }

  return (query, limit) => {
    const asked = new Set(searchTerms(query));
    return documents
      .map((terms, index) => ({ index, score: score(terms, lengths[index] ?? 0, asked) }))
      .filter((found) => found.score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ index }) => index);
  };
}
