import { seededRandom } from "./random.ts";
import type { Tally } from "./suite-interval.ts";

/** One case in two results. */
export interface TalliedPair {
  before: Tally;
  after: Tally;
}

/** How two results of the same cases differ. */
export interface PairedTest {
  /** Cases that have trials in both. */
  cases: number;
  /** Mean of the cases' pass rates after, less before. */
  difference: number;
  /** Two-sided: how likely a difference this large is when nothing has changed; 1 where nothing differs. */
  pValue: number;
  method: "McNemar" | "permutation";
}

/** Sums beyond this are not counted out one by one but drawn at random. */
const mostSums = 200_000;
const draws = 20_000;

/**
 * Compares two results case by case. If nothing has changed, each case's difference could as well have come out the other way
 * round: the p-value is the share of all such swaps that give a total at least as far from zero. All swaps are counted
 * where that is possible, else 20,000 are drawn by a fixed seed. With one trial each this is McNemar's exact test.
 */
export function pairedTest(pairs: readonly TalliedPair[]): PairedTest {
  const both = pairs.filter(({ before, after }) => before.trials > 0 && after.trials > 0);
  const differences = both.map(({ before, after }) => after.passed / after.trials - before.passed / before.trials);
  const difference = both.length === 0 ? 0 : differences.reduce((sum, each) => sum + each, 0) / both.length;
  const method = both.every(({ before, after }) => before.trials === 1 && after.trials === 1)
    ? "McNemar"
    : "permutation";
  return { cases: both.length, difference, pValue: swapProbability(both, differences), method };
}

function swapProbability(pairs: readonly TalliedPair[], differences: readonly number[]): number {
  const scale = pairs.reduce((known, { before, after }) => multiple(known, multiple(before.trials, after.trials)), 1);
  const whole = differences.map((each) => Math.round(each * scale)).filter((each) => each !== 0);
  if (whole.length === 0) return 1;
  const reach = whole.reduce((sum, each) => sum + Math.abs(each), 0);
  if (!Number.isSafeInteger(scale) || reach > mostSums) return drawnProbability(differences);
  const observed = Math.abs(whole.reduce((sum, each) => sum + each, 0));
  return Math.min(1, tailOf(sumsOf(whole, reach), reach, observed));
}

/** How likely each total is, from -reach to reach, when every difference has either sign with the same chance. */
function sumsOf(differences: readonly number[], reach: number): Float64Array {
  let chances = new Float64Array(2 * reach + 1);
  chances[reach] = 1;
  let known = 0;
  for (const difference of differences) {
    const step = Math.abs(difference);
    const next = new Float64Array(2 * reach + 1);
    for (let sum = reach - known; sum <= reach + known; sum += 1) {
      const half = (chances[sum] ?? 0) / 2;
      if (half === 0) continue;
      next[sum - step] = (next[sum - step] ?? 0) + half;
      next[sum + step] = (next[sum + step] ?? 0) + half;
    }
    chances = next;
    known += step;
  }
  return chances;
}

function tailOf(chances: Float64Array, middle: number, observed: number): number {
  let tail = 0;
  for (const [sum, chance] of chances.entries()) if (Math.abs(sum - middle) >= observed) tail += chance;
  return tail;
}

function drawnProbability(differences: readonly number[]): number {
  const random = seededRandom(1);
  const observed = Math.abs(differences.reduce((sum, each) => sum + each, 0)) - 1e-9;
  let reached = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    const total = differences.reduce((sum, each) => sum + (random() < 0.5 ? each : -each), 0);
    if (Math.abs(total) >= observed) reached += 1;
  }
  // The observed one is a swap, too (Phipson and Smyth 2010).
  return (reached + 1) / (draws + 1);
}

/** The least common multiple. */
function multiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return (a / x) * b;
}
