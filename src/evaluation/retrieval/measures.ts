import { pairedTest } from "../statistics/paired-test.ts";
import { suiteInterval, type Tally } from "../statistics/suite-interval.ts";
import type { Interval } from "../statistics/wilson.ts";

/** How many passages a measurement asks for. */
export const deepest = 10;

/** What one way to search found for each question: the ranks of its right passages, from 1; null where one was not found. */
export type Ranks = readonly (readonly (number | null)[])[];

/** A share from 0 to 1, and the range in which it lies with 95 % confidence. */
export interface Measured extends Interval {
  value: number;
}

/** How well a search finds what it should. */
export interface Measures {
  /** The share of a question's right passages among the first 5, and among the first 10; the mean over all questions. */
  recall5: Measured;
  recall10: Measured;
  /** Mean reciprocal rank: 1 where the first passage is right, ½ where it is the second, 0 where none of 10 is. */
  mrr: Measured;
}

/** The measures of at least one question. Intervals draw questions at random, always alike, and are never narrower than Wilson's. */
export function measuresOf(ranks: Ranks): Measures {
  return {
    recall5: measured(ranks.map((each) => recallTally(each, 5))),
    recall10: measured(ranks.map((each) => recallTally(each, deepest))),
    mrr: measured(ranks.map(reciprocalTally)),
  };
}

/** How one way to search differs from another one in recall at 5. */
export interface Difference {
  /** Recall of the first less that of the second. */
  recall5: number;
  /** How likely a difference this large is if the two are equally good. */
  pValue: number;
  /** It is larger than chance explains, at 95 % confidence. */
  isSure: boolean;
}

/** Compares two ways question by question; both have ranks of the same questions in the same order. */
export function differenceOf(first: Ranks, second: Ranks): Difference {
  const pairs = first.map((ranks, at) => ({
    before: recallTally(second[at] ?? [], 5),
    after: recallTally(ranks, 5),
  }));
  const { difference, pValue } = pairedTest(pairs);
  return { recall5: difference, pValue, isSure: pValue < 0.05 };
}

/** The best of several ways, the first of those that are equal: by recall at 5, then at 10, then by reciprocal rank. */
export function bestOf<Way extends { ranks: Ranks }>(ways: readonly Way[]): Way | undefined {
  const scored = ways.map((way) => ({ way, measures: measuresOf(way.ranks) }));
  const [best] = scored.toSorted(
    (a, b) =>
      b.measures.recall5.value - a.measures.recall5.value ||
      b.measures.recall10.value - a.measures.recall10.value ||
      b.measures.mrr.value - a.measures.mrr.value,
  );
  return best?.way;
}

const within = (rank: number | null, limit: number): rank is number => rank !== null && rank <= limit;

function recallTally(ranks: readonly (number | null)[], limit: number): Tally {
  return { passed: ranks.filter((rank) => within(rank, limit)).length, trials: ranks.length };
}

/** A question counts in part: by how early its first right passage comes. */
function reciprocalTally(ranks: readonly (number | null)[]): Tally {
  const found = ranks.filter((rank) => within(rank, deepest));
  return { passed: found.length === 0 ? 0 : 1 / Math.min(...found), trials: 1 };
}

function measured(tallies: readonly Tally[]): Measured {
  const counted = tallies.filter(({ trials }) => trials > 0);
  const sum = counted.reduce((so, { passed, trials }) => so + passed / trials, 0);
  return { value: counted.length === 0 ? 0 : sum / counted.length, ...suiteInterval(counted) };
}
