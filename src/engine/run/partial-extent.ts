import type { NodeRegistry } from "../document/define-node.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { Json } from "../json.ts";
import { pinnedOutputs, type RunExtent } from "./run-reach.ts";
import { ancestorsOf, planRun, type RunPlan } from "./run-plan.ts";
import type { RunState } from "./run-state.ts";
import { joinTaint, noTaint, type Taint, untrustedField } from "../trust/taint.ts";

/** What a partial run gets: the extent for `runWorkflow`, or why there is nothing to give the node. */
export type PartialExtent = { ok: true; extent: RunExtent & { untrusted?: Taint } } | { ok: false; reason: "no-input" };

/**
 * The extent of "run from here", up to the node `until` if it is given; of "run this node" that is the node itself. It gets `input`, else what it got in the last
 * run (`state`), else what the node before it gave there or has pinned; outputs of the nodes before it are pinned from
 * the same run, so that its templates find them. What strangers wrote in that run stays marked. Without any of these, `no-input`.
 */
export function partialExtent(
  document: WorkflowDocument,
  registry: NodeRegistry,
  nodeId: string,
  options: { state?: RunState | undefined; input?: Json; until?: string | undefined },
): PartialExtent {
  const { state, until } = options;
  const plan = planRun(document, registry);
  const pins = pinnedOutputs(document, {});
  const pinned: Record<string, Json> = {};
  const ancestors = [...ancestorsOf(plan, nodeId)].filter((id) => id !== nodeId);
  for (const id of ancestors) {
    const output = pins[id] ?? state?.nodes[id]?.output;
    if (output !== undefined) pinned[id] = output;
  }
  const input = options.input ?? previousInput(plan, nodeId, pinned, state);
  if (input === undefined) return { ok: false, reason: "no-input" };
  const untrusted = joinTaint(
    state?.untrusted ?? noTaint,
    ...ancestors.map((id) => state?.nodes[id]?.untrusted ?? noTaint),
  );
  const extent = {
    input,
    ...untrustedField(untrusted),
    startNodeId: nodeId,
    pinned,
    ...(until === undefined ? {} : { stopAfterNodeId: until }),
  };
  return { ok: true, extent };
}

function previousInput(
  plan: RunPlan,
  nodeId: string,
  pinned: Readonly<Record<string, Json>>,
  state: RunState | undefined,
): Json | undefined {
  const node = plan.nodes.get(nodeId);
  const [edge] = node?.mainIn ?? [];
  // A trigger's input is the run's.
  if (!edge) return state?.nodes[nodeId]?.input ?? state?.input;
  const source = plan.nodes.get(edge.from.node);
  const given = pinned[edge.from.node];
  // One edge only: what a joining node got stands in the log as a list, which no single value can stand for.
  if (node?.mainIn.length === 1 && state?.nodes[nodeId]?.input !== undefined) return state.nodes[nodeId].input;
  if (given === undefined || source?.mainPorts.length === 1) return given;
  return typeof given === "object" && given !== null && !Array.isArray(given) ? given[edge.from.port] : undefined;
}
