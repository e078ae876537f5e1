import type { NodeRunState, RunState } from "../../engine/run/run-state.ts";

/**
 * The nodes that took part in the main flow, in the order in which they started. Left out are nodes of nested workflows,
 * which a slash marks, and tools, whose calls stand below the agent that made them.
 */
export function flowNodes({ nodes, steps }: RunState): [string, NodeRunState][] {
  const tools = calledOnly({ steps });
  const took = Object.entries(nodes).filter(
    ([id, node]) => !id.includes("/") && !tools.has(id) && (node.input !== undefined || node.status === "skipped"),
  );
  return took.toSorted(([, a], [, b]) => (a.startedAt ?? Infinity) - (b.startedAt ?? Infinity));
}

/** Nodes that were called as tools, at whatever depth, and did no work of their own in the main flow, as an agent may. */
function calledOnly({ steps }: Pick<RunState, "steps">): Set<string> {
  const called = new Set<string>();
  for (const step of steps) if (step.kind === "tool") called.add(step.start.toolNodeId);
  for (const step of steps)
    if (step.parentCallId === undefined && step.nodeId !== undefined) called.delete(step.nodeId);
  return called;
}
