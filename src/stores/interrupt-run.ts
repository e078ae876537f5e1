import type { RunErrorData } from "../engine/run/errors.ts";
import type { NodeRunState, RunState } from "../engine/run/run-state.ts";

/** Said on the run and on the nodes that were at work when the tab went away. */
export const interruptedError: RunErrorData = {
  code: "cancelled",
  message: "The run was interrupted: its tab was closed or reloaded.",
  hint: "Nothing is repeated by itself. Look at what had been done, then run it again.",
  retryable: false,
};

/** The state of a run whose tab died: nothing is active any more, and what was under way says why it stopped. */
export function interruptRun(run: RunState): RunState {
  if (run.status !== "running") return run;
  const nodes: Record<string, NodeRunState> = {};
  for (const [id, node] of Object.entries(run.nodes)) {
    const working = node.status === "running" || node.status === "approval";
    nodes[id] = working
      ? { ...node, status: "failed", active: 0, retry: undefined, error: { ...interruptedError, nodeId: id } }
      : node;
  }
  return { ...run, status: "interrupted", nodes, activeEdges: {}, error: interruptedError };
}
