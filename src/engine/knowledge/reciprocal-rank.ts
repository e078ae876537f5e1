/** The constant of Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet" (SIGIR 2009). */
const fusionConstant = 60;

/**
 * Fuses orders of the same things, best first each: what stands high in several comes before what stands high in one.
 * Things are told apart by identity; equal sums keep the order of their first appearance.
 */
export function fuseByReciprocalRank<Item>(orders: readonly (readonly Item[])[]): Item[] {
  const sums = new Map<Item, number>();
  for (const order of orders) {
    order.forEach((item, rank) => sums.set(item, (sums.get(item) ?? 0) + 1 / (fusionConstant + rank + 1)));
  }
  return [...sums].toSorted(([, a], [, b]) => b - a).map(([item]) => item);
}
