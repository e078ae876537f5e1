import { textWords } from "./text-words.ts";

/** The stems of a text; words of one letter say nothing, but for those that are a word by themselves. */
function wordsOf(text: string): string[] {
  return textWords(text)
    .filter((word) => word.length > 1 || word > "\u0e00")
    .map(stem);
}

/** Plural and tense off the end: enough for "refunds" to meet "refund". */
function stem(word: string): string {
  const cut = word.replace(/(ations?|ings?|edly|ed|es|s|ly)$/, "");
  return cut.length >= 3 ? cut : word;
}

const frequent = new Set(
  "the of and to in is are was be for on it that this with as at by an or from do does how what which who when where why can my me we you your our".split(
    " ",
  ),
);

/**
 * How much of a query's words each text has, 0 to 1 each: the cosine between the query's words, each weighing
 * ln(1 + texts ÷ texts that have it), and those of them that the text has. A query of frequent words only counts those.
 */
export function keywordShares(query: string, texts: readonly string[]): number[] {
  const all = [...new Set(wordsOf(query))];
  const telling = all.filter((word) => !frequent.has(word));
  const words = telling.length > 0 ? telling : all;
  const sets = texts.map((text) => new Set(wordsOf(text)));
  const weights = words.map((word) => {
    const having = sets.filter((set) => set.has(word)).length;
    return Math.log(1 + texts.length / Math.max(having, 1)) ** 2;
  });
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return sets.map((set) => {
    const found = words.reduce((sum, word, index) => sum + (set.has(word) ? (weights[index] ?? 0) : 0), 0);
    return whole === 0 ? 0 : Math.sqrt(found / whole);
  });
}
