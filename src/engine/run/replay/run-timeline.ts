import type { RunEvent } from "../events.ts";
import { reduceRunAll } from "../reduce-run.ts";
import { emptyRunState, type RunState } from "../run-state.ts";

/** A state is kept every so many events; the rest is reduced from there. */
const checkpointEvery = 500;

/** A recorded run that can be looked at as it was at any moment. */
export interface RunTimeline {
  /** Events in order; their `seq` are the positions that can be asked for. */
  readonly events: readonly RunEvent[];
  /**
   * The state after every event up to and including the one with this `seq` (the empty state before the first). The same
   * position gives the same object while the timeline lives.
   */
  stateAt(seq: number): RunState;
}

/**
 * Makes a timeline of a run's events (ordered by `seq`, gaps allowed). States are reduced when they are first asked for,
 * with checkpoints, so that a jump costs at most 500 events once everything before it has been seen.
 */
export function createTimeline(runId: string, events: readonly RunEvent[]): RunTimeline {
  /** `checkpoints[n]` is the state after the first n × 500 events. */
  const checkpoints: RunState[] = [emptyRunState(runId)];
  let last: { count: number; state: RunState } | undefined;

  function checkpoint(index: number): RunState {
    for (let known = checkpoints.length; known <= index; known += 1) {
      const before = checkpoints[known - 1] ?? emptyRunState(runId);
      const part = events.slice((known - 1) * checkpointEvery, known * checkpointEvery);
      checkpoints.push(reduceRunAll(before, part));
    }
    return checkpoints[index] ?? emptyRunState(runId);
  }

  return {
    events,
    stateAt(seq) {
      const count = countUpTo(events, seq);
      if (last?.count === count) return last.state;
      const index = Math.floor(count / checkpointEvery);
      // Going forward from the position before is the shortest way while somebody scrubs or plays.
      const near = last && last.count <= count && last.count >= index * checkpointEvery ? last : undefined;
      const from = near ?? { count: index * checkpointEvery, state: checkpoint(index) };
      last = { count, state: reduceRunAll(from.state, events.slice(from.count, count)) };
      return last.state;
    },
  };
}

/** How many events have a `seq` up to this one. */
function countUpTo(events: readonly RunEvent[], seq: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.seq ?? Infinity) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
