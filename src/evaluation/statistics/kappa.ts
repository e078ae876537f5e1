/**
 * Cohen's kappa of two raters who say yes or no to the same items (Cohen 1960): 1 where they always agree, 0 where no more
 * than by chance. Null where it is not defined: without items, or when both say the same of all of them.
 */
export function cohensKappa(pairs: readonly (readonly [boolean, boolean])[]): number | null {
  const count = pairs.length;
  if (count === 0) return null;
  const agreed = pairs.filter(([one, other]) => one === other).length / count;
  const yes = (rater: 0 | 1) => pairs.filter((pair) => pair[rater]).length / count;
  const [first, second] = [yes(0), yes(1)];
  const byChance = first * second + (1 - first) * (1 - second);
  return byChance === 1 ? null : (agreed - byChance) / (1 - byChance);
}
