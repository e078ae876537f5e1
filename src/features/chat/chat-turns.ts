import { isJsonObject } from "../../engine/json.ts";
import type { RunState } from "../../engine/run/run-state.ts";

/** Whether a run answers a message of this conversation. */
export function isTurnOf(run: RunState | undefined, sessionId: string): boolean {
  return isJsonObject(run?.input) && run.input.sessionId === sessionId && typeof run.input.message === "string";
}
