import { markInterrupted } from "../../stores/mark-interrupted.ts";
import { forgetOwnRun, ownRuns } from "../../stores/own-runs.ts";
import { aliveRuns } from "../../stores/run-lock.ts";
import type { RunRepository } from "../../stores/services.ts";

/**
 * Stores the workflow's runs whose tab is gone as interrupted, and deletes runs that are kept no longer. Nothing is run
 * again. Returns whether any run changed.
 */
export async function endInterruptedRuns(
  runs: Pick<RunRepository, "page" | "finish" | "prune">,
  workflowId: string,
): Promise<boolean> {
  const marked = await markInterrupted({ runs, workflowId, alive: await aliveRuns(), own: ownRuns(), now: Date.now() });
  for (const runId of marked) forgetOwnRun(runId);
  const pruned = await runs.prune();
  return marked.length > 0 || pruned > 0;
}
