import type { TalliedPair } from "./paired-test.ts";

/**
 * Whether one case got worse: it passed every trial before and none now, or it passes so much less often that chance explains it
 * with a probability below 1 - confidence (Fisher's exact test, one-sided). Few trials that differ a little prove nothing.
 */
export function isWorse({ before, after }: TalliedPair, confidence = 0.95): boolean {
  if (before.trials === 0 || after.trials === 0) return false;
  if (before.passed === before.trials && after.passed === 0) return true;
  if (after.passed / after.trials >= before.passed / before.trials) return false;
  return fisherBelow(before, after) < 1 - confidence;
}

type Tallied = TalliedPair["before"];

/** The chance that, of as many passes as both have together, `after` has so few or fewer. */
function fisherBelow(before: Tallied, after: Tallied): number {
  const passed = before.passed + after.passed;
  const trials = before.trials + after.trials;
  let chance = 0;
  for (let few = Math.max(0, passed - before.trials); few <= after.passed; few += 1) {
    chance += Math.exp(
      logChoose(after.trials, few) + logChoose(before.trials, passed - few) - logChoose(trials, passed),
    );
  }
  return chance;
}

function logChoose(n: number, k: number): number {
  let sum = 0;
  for (let factor = 1; factor <= k; factor += 1) sum += Math.log((n - k + factor) / factor);
  return sum;
}
