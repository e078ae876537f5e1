import { z } from "zod/mini";
import { listOf, stored } from "../shared/stored.ts";

const mostKept = 200;
/** Without storage a dead run is called interrupted after a day. */
const kept = stored("switchyard:own-runs", listOf(z.string()));

/** Remembers that this browser started a run, so that it may call the run interrupted once no tab executes it. */
export function rememberOwnRun(runId: string): void {
  kept.write([...ownRuns(), runId].slice(-mostKept));
}

/** Called when a run's end is stored. */
export function forgetOwnRun(runId: string): void {
  kept.write(ownRuns().filter((id) => id !== runId));
}

/** Runs that this browser started and did not see stored to their end. */
export function ownRuns(): string[] {
  return kept.read() ?? [];
}
