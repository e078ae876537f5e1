import type { NodeRunState, RunState, RunStep } from "../../engine/run/run-state.ts";

/** One line of the Steps tab. */
export type StepRow =
  | { kind: "run"; id: string; depth: 0 }
  | { kind: "node"; id: string; depth: number; nodeId: string; node: NodeRunState }
  | {
      kind: "iteration";
      id: string;
      depth: number;
      nodeId: string;
      iteration: number;
      round: number;
      item: number | undefined;
    }
  | { kind: "step"; id: string; depth: number; step: RunStep };

/** The row that stands for the run as a whole. */
export const runRowId = "run";

/**
 * A run as lines: the run itself, the nodes of its main flow as they started, the steps of each node below it, the calls
 * of one iteration under a line of their own, and what happened inside a tool call (an agent as tool) below that call.
 */
export function stepRows(run: RunState): StepRow[] {
  const root: Group = { header: null, children: [] };
  const places: Places = { nodes: new Map(), iterations: new Map(), inside: new Map() };
  for (const [nodeId, node] of flowNodes(run)) {
    const group: Group = { header: { kind: "node", id: `node ${nodeId}`, depth: 0, nodeId, node }, children: [] };
    places.nodes.set(nodeId, group);
    root.children.push(group);
  }
  for (const step of run.steps) {
    const parent = parentOf(step, places, root);
    if (isSaidByRow(step, parent)) continue;
    if (step.kind === "note") parent.children.push(step);
    else iterationGroup(places.iterations, parent, step).children.push(step);
  }
  const rows: StepRow[] = [{ kind: "run", id: runRowId, depth: 0 }];
  addRows(rows, root, 0, places.inside);
  return rows;
}

type Header = Extract<StepRow, { kind: "node" | "iteration" }>;

interface Group {
  header: Header | null;
  children: (RunStep | Group)[];
}

interface Places {
  nodes: Map<string, Group>;
  iterations: Map<string, Group>;
  /** By the id of the tool call. */
  inside: Map<string, Group>;
}

/** Nodes that took part in the main flow, in the order in which they started; a slash marks nodes of nested workflows. */
function flowNodes(run: RunState): [string, NodeRunState][] {
  const took = Object.entries(run.nodes).filter(
    ([id, node]) => !id.includes("/") && (node.input !== undefined || node.status === "skipped"),
  );
  return took.toSorted(([, a], [, b]) => (a.startedAt ?? Infinity) - (b.startedAt ?? Infinity));
}

function parentOf(step: RunStep, { nodes, inside }: Places, root: Group): Group {
  if (step.parentCallId === undefined) return nodes.get(step.nodeId ?? "") ?? root;
  const known = inside.get(step.parentCallId);
  if (known) return known;
  const group: Group = { header: null, children: [] };
  inside.set(step.parentCallId, group);
  return group;
}

function iterationGroup(
  iterations: Map<string, Group>,
  parent: Group,
  step: Exclude<RunStep, { kind: "note" }>,
): Group {
  const { nodeId, round, item } = step;
  const iteration = step.kind === "model" ? step.request.iteration : step.iteration;
  const key = `${step.parentCallId ?? ""} ${item ?? ""} ${nodeId} ${round} ${iteration}`;
  const known = iterations.get(key);
  if (known) return known;
  const group: Group = {
    header: { kind: "iteration", id: `iteration ${key}`, depth: 0, nodeId, iteration, round, item },
    children: [],
  };
  iterations.set(key, group);
  parent.children.push(group);
  return group;
}

function addRows(rows: StepRow[], group: Group, depth: number, inside: ReadonlyMap<string, Group>): void {
  if (group.header) rows.push({ ...group.header, depth });
  const childDepth = group.header ? depth + 1 : depth;
  for (const child of group.children) {
    if ("children" in child) addRows(rows, child, childDepth, inside);
    else {
      rows.push({ kind: "step", id: child.id, depth: childDepth, step: child });
      const nested = child.kind === "tool" ? inside.get(child.start.callId) : undefined;
      if (nested) addRows(rows, nested, childDepth + 1, inside);
    }
  }
}

/** What a node's own line says already; and the end of an iteration, unless the agent stopped there for a reason. */
function isSaidByRow(step: RunStep, parent: Group): boolean {
  if (step.kind !== "note") return false;
  const { event } = step;
  if (event.type === "iteration-end") return event.finish === undefined || event.finish === "completed";
  return parent.header?.kind === "node" && (event.type === "node-skip" || event.type === "node-error");
}
