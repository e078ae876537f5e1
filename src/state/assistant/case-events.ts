import type { RunEvent } from "../../engine/run/events.ts";
import type { ReadRun } from "./desk.ts";
import type { Proof } from "./prove-fix.ts";

/**
 * What a test case of a failed run is made of, so that the failure does not come back: the run with the proven fix, which says what
 * is expected and what was answered, told as the run that failed; the failed run itself where nothing is proven.
 */
export function caseEvents(run: ReadRun, proof: Proof | null): readonly RunEvent[] {
  const isGood = proof?.kind === "fixed" && proof.events.some(isCompleted);
  return isGood ? proof.events.map((event) => ({ ...event, runId: run.id })) : run.events;
}

function isCompleted(event: RunEvent): boolean {
  return event.type === "run-end" && event.outcome === "completed";
}
