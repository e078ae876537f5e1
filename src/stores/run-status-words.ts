import type { RunStatus } from "../engine/run/run-state.ts";

/** How a run stands, in a word. */
export const runStatusWords: Record<RunStatus, string> = {
  running: "Running",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Stopped",
  interrupted: "Interrupted",
};
