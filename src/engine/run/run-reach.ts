import type { NodeRegistry } from "../document/define-node.ts";
import type { Problem } from "../document/problem.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { Json } from "../json.ts";
import { prepareRun, type PreparedRun } from "./prepare-run.ts";
import type { RunPart } from "./run-part.ts";
import { ancestorsOf, reachableFrom, type NodePlan, type RunPlan } from "./run-plan.ts";

/** Which part of a workflow to run, and on what. */
export interface RunExtent extends RunPart {
  /** What the trigger, or the start node, gets. */
  input: Json;
}

/** Where a run begins, the ids of the nodes of the main flow that can take part, and what keeps it from starting. */
interface RunReach {
  entry: NodePlan | undefined;
  members: ReadonlySet<string>;
  problems: Problem[];
}

/** Determines which nodes a run includes. Never throws. */
export function reachOfRun({ plan, problems: found }: PreparedRun, extent: RunExtent): RunReach {
  const entry = entryOf(plan, extent);
  const members = entry ? membersOf(plan, entry, extent.stopAfterNodeId) : new Set<string>();
  const comesTo = entry ? reachableFrom([entry], { heedStops: true }) : members;
  const running = new Set([...members].filter((id) => comesTo.has(id)));
  const problems = blockingProblems(found, plan, running, extent);
  return { entry, members, problems };
}

/**
 * The outputs that a run takes instead of running nodes: those pinned in the document, and over them the run's own. A run of
 * one node alone is there to see what it does, so its own pin does not count.
 */
export function pinnedOutputs(
  document: WorkflowDocument,
  { pinned, startNodeId, stopAfterNodeId, ignorePins }: Omit<RunExtent, "input"> & { ignorePins?: boolean },
): Record<string, Json> {
  const alone = startNodeId === stopAfterNodeId ? startNodeId : undefined;
  const outputs: Record<string, Json> = {};
  if (ignorePins !== true) {
    for (const node of Object.values(document.nodes))
      if (node.pin && !node.disabled && node.id !== alone) outputs[node.id] = node.pin.output;
  }
  return { ...outputs, ...pinned };
}

/**
 * The errors that prevent a run from starting: those of the nodes that it would reach, and of the services that they
 * use.
 */
export function problemsOfRun(document: WorkflowDocument, registry: NodeRegistry, extent: RunExtent): Problem[] {
  const pinned = pinnedOutputs(document, extent);
  return reachOfRun(prepareRun(document, registry), { ...extent, pinned }).problems;
}

/** The node to start at: the requested one, the trigger that accepts this input, or the first trigger. */
function entryOf(plan: RunPlan, { startNodeId, input }: RunExtent): NodePlan | undefined {
  if (startNodeId !== undefined) return plan.nodes.get(startNodeId);
  const triggers = [...plan.nodes.values()].filter(
    ({ definition, node }) => definition.role === "trigger" && !node.disabled,
  );
  return triggers.find(({ definition }) => definition.accepts?.(input) === true) ?? triggers[0];
}

/** What can run: everything after the entry, cut to what leads to the last node. */
function membersOf(plan: RunPlan, entry: NodePlan, stopAfterNodeId: string | undefined): Set<string> {
  const members = reachableFrom([entry]);
  if (stopAfterNodeId === undefined) return members;
  const needed = ancestorsOf(plan, stopAfterNodeId);
  return new Set([...members].filter((id) => needed.has(id)));
}

/** Errors at nodes that would take part: the members and, level by level, the services they use. */
function blockingProblems(
  problems: readonly Problem[],
  plan: RunPlan,
  members: ReadonlySet<string>,
  { startNodeId, stopAfterNodeId, pinned }: RunExtent,
): Problem[] {
  const involved = new Set<string>();
  const open = [...members].filter((id) => !pinned || !Object.hasOwn(pinned, id));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (involved.has(id)) continue;
    involved.add(id);
    for (const edge of plan.nodes.get(id)?.services ?? []) open.push(edge.from.node);
  }
  const found = problems.filter((problem) => {
    if (problem.severity !== "error") return false;
    return problem.nodeId === undefined ? startNodeId === undefined : involved.has(problem.nodeId);
  });
  const start = startNodeId === undefined ? undefined : plan.nodes.get(startNodeId);
  if (start && start.mainPorts.length === 0) found.push(notInFlow(start));
  for (const id of [startNodeId, stopAfterNodeId]) {
    if (id !== undefined && !members.has(id)) found.push(notReached(id, plan));
  }
  return found;
}

function notInFlow({ id, node }: NodePlan): Problem {
  return {
    nodeId: id,
    severity: "error",
    code: "missing_connection",
    message: `"${node.title}" is not in the main flow, so a run cannot start at it.`,
    hint: "Run the agent that uses it.",
  };
}

function notReached(id: string, plan: RunPlan): Problem {
  const title = plan.nodes.get(id)?.node.title;
  return {
    nodeId: title === undefined ? undefined : id,
    severity: "error",
    code: "missing_connection",
    message:
      title === undefined ? `There is no node "${id}".` : `"${title}" cannot be reached from where the run starts.`,
    hint: "Start at a trigger or a node that leads to it.",
  };
}
