import { criticalValue } from "./normal.ts";

/** A range in which a rate lies with a given confidence. */
export interface Interval {
  low: number;
  high: number;
}

/**
 * The interval of a pass rate after `passed` of `trials` (Wilson 1927, two-sided, without continuity correction). It is never
 * empty, also where all or none passed; without trials anything is possible.
 */
export function wilsonInterval(passed: number, trials: number, confidence = 0.95): Interval {
  if (trials <= 0) return { low: 0, high: 1 };
  const z = criticalValue(confidence);
  const rate = passed / trials;
  const shrink = 1 + (z * z) / trials;
  const middle = (rate + (z * z) / (2 * trials)) / shrink;
  const reach = (z / shrink) * Math.sqrt((rate * (1 - rate)) / trials + (z * z) / (4 * trials * trials));
  return {
    low: passed <= 0 ? 0 : Math.max(0, middle - reach),
    high: passed >= trials ? 1 : Math.min(1, middle + reach),
  };
}

/** What a run without a single failure would prove: the lower bound of `trials` of `trials`. */
export function bestLowerBound(trials: number, confidence = 0.95): number {
  return wilsonInterval(trials, trials, confidence).low;
}

/** How many trials, all of them passed, it takes to prove a pass rate; Infinity for 1. */
export function trialsToProve(passRate: number, confidence = 0.95): number {
  if (passRate >= 1) return Infinity;
  const z = criticalValue(confidence);
  // The lower bound of n of n is n / (n + z²). What rounding adds must not ask for one trial more.
  return Math.max(1, Math.ceil((passRate * z * z) / (1 - passRate) - 1e-9));
}
