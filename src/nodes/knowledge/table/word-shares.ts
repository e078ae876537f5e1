/** Which words of a query a row has, and which of them the language does not leave out. */
interface WordMatch {
  found: readonly boolean[];
  telling: readonly boolean[];
}

/**
 * How much of a query's words each row has, 0 to 1 each, as `keywordShares` counts: the cosine between the query's words, each
 * weighing ln(1 + rows ÷ rows that have it), and those of them that the row has.
 */
export function wordShares(matches: readonly WordMatch[]): number[] {
  const telling = matches[0]?.telling ?? [];
  const weights = telling.map((tells, word) => {
    if (!tells) return 0;
    const having = matches.filter(({ found }) => found[word] === true).length;
    return Math.log(1 + matches.length / Math.max(having, 1)) ** 2;
  });
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return matches.map(({ found }) => {
    const had = weights.reduce((sum, weight, word) => sum + (found[word] === true ? weight : 0), 0);
    return whole === 0 ? 0 : Math.sqrt(had / whole);
  });
}
