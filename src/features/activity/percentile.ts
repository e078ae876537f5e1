import type { DurationCounts } from "../../services/services.ts";

/** Where a class of durations begins, in milliseconds. */
const lower = (index: number) => 2 ** (index / 4);

/**
 * The duration that `part` (0.95 for p95) of the runs did not exceed, in milliseconds; null without a run. Durations are known by
 * classes that are 19% wide and count as spread evenly within one.
 */
export function percentile(counts: DurationCounts, part: number): number | null {
  const classes = Object.entries(counts)
    .map(([index, runs]) => ({ index: Number(index), runs }))
    .filter(({ runs }) => runs > 0)
    .toSorted((a, b) => a.index - b.index);
  const wanted = classes.reduce((sum, { runs }) => sum + runs, 0) * part;
  let below = 0;
  for (const { index, runs } of classes) {
    if (below + runs >= wanted) {
      const from = lower(index);
      return from + (lower(index + 1) - from) * ((wanted - below) / runs);
    }
    below += runs;
  }
  return null;
}
