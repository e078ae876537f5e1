import type { NodeRunState, RunState, RunStep } from "../../engine/run/run-state.ts";
import { flowNodes } from "./flow-nodes.ts";
import { addSpending, noSpending, type Spending } from "./spending.ts";

interface LoopPlace {
  id: string;
  depth: number;
  nodeId: string;
  round: number;
  item: number | undefined;
  /** What its model calls took, those inside its tool calls left out. */
  spent: Spending;
}

/** One line of the list of steps. */
export type StepRow =
  | { kind: "run"; id: string; depth: 0 }
  | { kind: "node"; id: string; depth: number; nodeId: string; node: NodeRunState }
  | ({ kind: "round" } & LoopPlace)
  | ({ kind: "iteration"; iteration: number } & LoopPlace)
  | { kind: "step"; id: string; depth: number; step: RunStep };

/** The row that stands for the run as a whole. */
export const runRowId = "run";

/**
 * A run as lines: the run itself, the nodes of its main flow as they started, the steps of each node below it, the calls
 * of one iteration under a line of their own, the iterations of one round too where there are several rounds, and what
 * happened inside a tool call (an agent as tool) below that call.
 */
export function stepRows(run: RunState): StepRow[] {
  const root: Group = { header: null, children: [] };
  const places: Places = { nodes: new Map(), inside: new Map(), loops: new Map(), inRounds: agentsInRounds(run.steps) };
  for (const [nodeId, node] of flowNodes(run)) {
    const group: Group = { header: { kind: "node", id: `node ${nodeId}`, depth: 0, nodeId, node }, children: [] };
    places.nodes.set(nodeId, group);
    root.children.push(group);
  }
  for (const step of run.steps) {
    const parent = parentOf(step, places, root);
    if (isSaidByRow(step, parent)) continue;
    if (step.kind !== "note") addCall(places, parent, step);
    else if (isPartOfRound(step)) (latestRound(places, step) ?? parent).children.push(step);
    else parent.children.push(step);
  }
  const rows: StepRow[] = [{ kind: "run", id: runRowId, depth: 0 }];
  addRows(rows, root, 0, places.inside);
  return rows;
}

type LoopHeader = Extract<StepRow, { kind: "round" | "iteration" }>;
type Header = Extract<StepRow, { kind: "node" }> | LoopHeader;

interface Group {
  header: Header | null;
  children: (RunStep | Group)[];
}

interface LoopGroup extends Group {
  header: LoopHeader;
}

interface Places {
  nodes: Map<string, Group>;
  /** By the id of the tool call. */
  inside: Map<string, Group>;
  /** Rounds and iterations by their row's id; the latest round of an agent by the agent's key. */
  loops: Map<string, LoopGroup>;
  inRounds: ReadonlySet<string>;
}

/** Names one execution of an agent: an item of a for-each and a call as a tool are others. */
function agentKey({ parentCallId, item, nodeId }: Pick<RunStep, "parentCallId" | "item" | "nodeId">): string {
  return `${parentCallId ?? ""} ${item ?? ""} ${nodeId ?? ""}`;
}

function agentsInRounds(steps: readonly RunStep[]): Set<string> {
  const found = new Set<string>();
  for (const step of steps) if (step.kind !== "note" && step.round > 1) found.add(agentKey(step));
  return found;
}

function parentOf(step: RunStep, { nodes, inside }: Places, root: Group): Group {
  if (step.parentCallId === undefined) return nodes.get(step.nodeId ?? "") ?? root;
  const known = inside.get(step.parentCallId);
  if (known) return known;
  const group: Group = { header: null, children: [] };
  inside.set(step.parentCallId, group);
  return group;
}

/** Puts a call under its iteration, and that under its round where the agent has several. */
function addCall(places: Places, parent: Group, step: Exclude<RunStep, { kind: "note" }>): void {
  const { nodeId, round, item } = step;
  const iteration = step.kind === "model" ? step.request.iteration : step.iteration;
  const agent = agentKey(step);
  const place = { depth: 0, nodeId, round, item };
  const groups: LoopGroup[] = [];
  let above = parent;
  if (places.inRounds.has(agent)) {
    const id = `round ${agent} ${round}`;
    const inRound = loopGroup(places, above, { ...place, kind: "round", id, spent: noSpending });
    places.loops.set(agent, inRound);
    groups.push(inRound);
    above = inRound;
  }
  const id = `iteration ${agent} ${round} ${iteration}`;
  const group = loopGroup(places, above, { ...place, kind: "iteration", id, iteration, spent: noSpending });
  groups.push(group);
  group.children.push(step);
  if (step.kind === "model") for (const { header } of groups) header.spent = addSpending(header.spent, step);
}

function loopGroup({ loops }: Places, parent: Group, header: LoopHeader): LoopGroup {
  const known = loops.get(header.id);
  if (known) return known;
  const group: LoopGroup = { header, children: [] };
  loops.set(header.id, group);
  parent.children.push(group);
  return group;
}

function latestRound({ loops }: Places, step: RunStep): Group | undefined {
  return loops.get(agentKey(step));
}

/** Notes that speak of the loop, not of the agent as a whole. */
function isPartOfRound({ event }: Extract<RunStep, { kind: "note" }>): boolean {
  return ["reflection", "compaction", "retry", "iteration-end"].includes(event.type);
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
