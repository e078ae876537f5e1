import type { RunEvent } from "../engine/run/events.ts";
import { reduceRunAll } from "../engine/run/reduce-run.ts";
import { emptyRunState, type RunState } from "../engine/run/run-state.ts";
import { letPageBreathe } from "./ingest/let-page-breathe.ts";
import type { StoredRunStatus } from "./run-history.ts";
import { explainInterruption } from "./interrupt-run.ts";

/** Events reduced before the clock is looked at: a millisecond of work, while each slice copies the list of steps once. */
const sliceEvents = 250;

/**
 * What the events of a stored run lead to, reduced in slices between which the page draws and answers. `status` is the
 * stored one: a run cut short has no `run-end` event.
 */
export async function reduceStoredRun(
  run: { id: string; status: StoredRunStatus },
  events: readonly RunEvent[],
  breathe: () => Promise<void> = letPageBreathe(),
): Promise<RunState> {
  let state = emptyRunState(run.id);
  for (let start = 0; start < events.length; start += sliceEvents) {
    await breathe();
    state = reduceRunAll(state, events.slice(start, start + sliceEvents));
  }
  return run.status === "interrupted" ? explainInterruption(state) : state;
}
