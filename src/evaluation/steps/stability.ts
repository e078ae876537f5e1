import { type Interval, wilsonInterval } from "../statistics/wilson.ts";
import type { RunErrorData } from "../../engine/errors.ts";
import type { Decision } from "./decision.ts";
import type { Sample } from "./sample-call.ts";

/** How often a model decided the same as in the recorded run, and what else it decided. */
export interface Stability {
  same: number;
  /** Answers that count: the vendor's failures say nothing of the model. */
  of: number;
  failed: number;
  /** Why the first of them failed. */
  failure?: RunErrorData;
  /** Where the share of the same decision lies, at 95 % confidence. */
  interval: Interval;
  /** Every decision that was made, the most frequent first. */
  decisions: readonly { decision: Decision; count: number; isRecorded: boolean }[];
}

/** Sums up what came of making a call again. */
export function stabilityOf(recorded: Decision, samples: readonly Sample[]): Stability {
  const counts = new Map<string, { decision: Decision; count: number; isRecorded: boolean }>();
  for (const sample of samples) {
    if (!sample.ok) continue;
    const { decision } = sample;
    const before = counts.get(decision.key)?.count ?? 0;
    counts.set(decision.key, { decision, count: before + 1, isRecorded: decision.key === recorded.key });
  }
  const decisions = [...counts.values()].toSorted((a, b) => b.count - a.count);
  const of = decisions.reduce((sum, { count }) => sum + count, 0);
  const same = counts.get(recorded.key)?.count ?? 0;
  const failure = samples.find((sample) => !sample.ok)?.error;
  const failed = samples.length - of;
  return { same, of, failed, ...(failure ? { failure } : {}), interval: wilsonInterval(same, of), decisions };
}
