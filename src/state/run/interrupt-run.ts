import type { RunErrorData } from "../../engine/errors.ts";
import { interruptRun } from "../../engine/run/reduce-run.ts";
import type { RunState } from "../../engine/run/run-state.ts";

/** Said on the run and on the nodes that were at work when the tab went away. */
export const interruptedError: RunErrorData = {
  code: "cancelled",
  message: "The run was interrupted: its page was closed or reloaded.",
  hint: "Nothing is repeated automatically. Check what was done, then run it again.",
  retryable: false,
};

/** The state of a run whose tab died: nothing is active any more, and what was under way says why it stopped. */
export function explainInterruption(run: RunState): RunState {
  const interrupted = interruptRun(run);
  if (interrupted === run) return run;
  const nodes = { ...interrupted.nodes };
  for (const [id, node] of Object.entries(nodes)) {
    // Service nodes have no input of their own; the node that they served says it for them.
    if (node.status === "failed" && run.nodes[id]?.status !== "failed" && node.input !== undefined)
      nodes[id] = { ...node, error: { ...interruptedError, nodeId: id } };
  }
  return { ...interrupted, nodes, error: interruptedError };
}
