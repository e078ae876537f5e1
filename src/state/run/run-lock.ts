import { heldTabLocks, holdTabLock } from "../shared/tab-lock.ts";

const prefix = "switchyard-run-";

/** Shows other tabs that a run is alive. Returns the release function. */
export function holdRunLock(runId: string): () => void {
  return holdTabLock(prefix + runId);
}

/** The runs that some tab of this browser is executing; null when that cannot be known. */
export function aliveRuns(): Promise<ReadonlySet<string> | null> {
  return heldTabLocks(prefix);
}
