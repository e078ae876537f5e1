import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { prepareRun } from "../../engine/run/prepare-run.ts";
import { reachOfRun, type RunExtent } from "../../engine/run/run-reach.ts";
import type { NodeRunState } from "../../engine/run/run-state.ts";
import type { RunStore } from "../../state/run/run-store.ts";

const waiting: NodeRunState = { status: "waiting", active: 0, text: "", uses: 0 };

/** The nodes that a run may come to, and those that they use, wait from its start on, so that the canvas can show it. */
export function expectNodes(
  runs: RunStore,
  runId: string,
  workflow: { document: WorkflowDocument; registry: NodeRegistry; extent: RunExtent },
): void {
  const { document, registry, extent } = workflow;
  const prepared = prepareRun(document, registry);
  const { plan } = prepared;
  // In the order of the flow, which readers fall back on for nodes that began in the same millisecond.
  const open = [...reachOfRun(prepared, extent).members];
  const expected: Record<string, NodeRunState> = {};
  for (const id of open) {
    if (expected[id] !== undefined || document.nodes[id]?.disabled === true) continue;
    expected[id] = waiting;
    for (const edge of plan.nodes.get(id)?.services ?? []) open.push(edge.from.node);
  }
  runs.setState(({ runs: known }) => {
    const run = known[runId];
    return run === undefined ? {} : { runs: { ...known, [runId]: { ...run, nodes: { ...expected, ...run.nodes } } } };
  });
}
