import type { RunEvent } from "../../engine/run/events.ts";
import type { RunErrorData } from "../../engine/errors.ts";
import { interruptRun, reduceRunAll } from "../../engine/run/reduce-run.ts";
import { emptyRunState, type RunState } from "../../engine/run/run-state.ts";
import { letPageBreathe } from "../../engine/let-page-breathe.ts";
import type { StoredRunStatus } from "../../services/run-history.ts";
import { explainInterruption } from "./interrupt-run.ts";

/** Events reduced before the clock is looked at: a millisecond of work, while each slice copies the list of steps once. */
const sliceEvents = 250;

/** How a run stands by its row. */
interface StoredEndOf {
  status: StoredRunStatus;
  error?: RunErrorData | null;
}

/**
 * What the events of a stored run lead to, reduced in slices between which the page draws and answers. `status` is the
 * stored one: a run cut short has no `run-end` event.
 */
export async function reduceStoredRun(
  run: StoredEndOf & { id: string },
  events: readonly RunEvent[],
  breathe: () => Promise<void> = letPageBreathe(() => performance.now()),
): Promise<RunState> {
  let state = emptyRunState(run.id);
  for (let start = 0; start < events.length; start += sliceEvents) {
    await breathe();
    state = reduceRunAll(state, events.slice(start, start + sliceEvents));
  }
  return settleStoredRun(state, run);
}

/**
 * The state with what only the run's row says: that nobody works on it now, or that it has ended though no event says so,
 * since it was cut short or never began. The same object where there is nothing to say.
 */
export function settleStoredRun(state: RunState, { status, error }: StoredEndOf): RunState {
  if (status === "interrupted") return explainInterruption(state);
  const { idle: before, ...rest } = state;
  const idle = state.status === "running" && (status === "queued" || status === "waiting") ? status : undefined;
  if (idle !== undefined) return before === idle ? state : { ...rest, idle };
  const settled = before === undefined ? state : rest;
  if (settled.status !== "running" || status === "running" || status === "queued" || status === "waiting")
    return settled;
  return { ...interruptRun(settled), status, ...(error ? { error } : {}) };
}
