import { trialsToProve, wilsonInterval } from "./wilson.ts";

/** A rate in percent; what is not all or nothing is never rounded to it. */
export function percent(rate: number): string {
  const rounded = Math.round(rate * 100);
  if (rounded === 100 && rate < 1) return "> 99 %";
  if (rounded === 0 && rate > 0) return "< 1 %";
  return `${rounded} %`;
}

/** What the trials of a case or a suite prove, as a sentence: "3 of 3 proves only ≥ 44 %." */
export function provenWords(passed: number, trials: number, confidence = 0.95): string {
  if (trials === 0) return "No trial counts, so nothing is known.";
  const { low, high } = wilsonInterval(passed, trials, confidence);
  if (passed === trials) return `${passed} of ${trials} proves only ≥ ${percent(low)}.`;
  if (passed === 0) return `0 of ${trials} proves only ≤ ${percent(high)}.`;
  return `${passed} of ${trials} proves a rate between ${percent(low)} and ${percent(high)}.`;
}

/** How many trials a claim takes, as a sentence. */
export function neededWords(passRate: number, confidence = 0.95): string {
  const trials = trialsToProve(passRate, confidence);
  if (trials === Infinity) return "No number of trials can prove a pass rate of 100 %.";
  const sure = percent(confidence);
  return `To prove ≥ ${percent(passRate)} at ${sure} confidence takes at least ${trials} ${trials === 1 ? "trial" : "trials"}, all of them passed.`;
}
