/**
 * pass^k: the chance that k trials drawn from the n that were made all passed, of which c did: C(c, k) / C(n, k) (Yao et
 * al. 2024, τ-bench). Undefined where fewer than k trials were made.
 */
export function passHat(passed: number, trials: number, k: number): number | undefined {
  if (k < 1 || trials < k) return undefined;
  let chance = 1;
  for (let drawn = 0; drawn < k; drawn += 1) chance *= Math.max(0, passed - drawn) / (trials - drawn);
  return chance;
}
