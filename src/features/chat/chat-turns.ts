import { isJsonObject } from "../../engine/json.ts";
import type { RunState } from "../../engine/run/run-state.ts";

/** Whether a run answers a message of this conversation. */
export function isTurnOf(run: RunState | undefined, sessionId: string): boolean {
  return isJsonObject(run?.input) && run.input.sessionId === sessionId && typeof run.input.message === "string";
}

/** The message that a run answers. */
export function questionOf(run: RunState): string {
  return isJsonObject(run.input) && typeof run.input.message === "string" ? run.input.message : "";
}
