import type { FlowEdge, FlowGraph, FlowNode } from "../flow/flow-graph.ts";
import { objectOf, textOf } from "./flowise-values.ts";

/** The key under which the end of a turn says where it goes back to, and what it takes along. */
export const again = "again";

const isLoop = ({ type }: FlowNode) => type === "loopAgentflow" || type === "seqLoop";

/** The id of the “Repeat until” before a node that a loop goes back to, and of the first node of each turn. */
const repeatId = (target: string) => `${target} repeat`;
export const turnId = (target: string) => `${target} turn`;

/** The node that a loop goes back to: the one it names, or the one after the start. */
export function targetOf(loop: FlowNode, graph: Pick<FlowGraph, "nodes" | "edges">): FlowNode | undefined {
  const inputs = objectOf(loop.data.inputs);
  const wanted = textOf(inputs.loopBackToNode) || textOf(inputs.loopToName);
  const named = graph.nodes.find(({ id, name }) => wanted === id || wanted === name || wanted.startsWith(`${id}-`));
  if (named?.type !== "startAgentflow" && named?.type !== "seqStart") return named;
  const next = graph.edges.filter(({ from }) => from === named.id);
  const [first, ...others] = next.map(({ to }) => to.replace(/ repeat$/, ""));
  return others.length === 0 ? graph.nodes.find(({ id }) => id === first) : undefined;
}

/** The turns that a loop may take: it goes back that often after the first. */
export function mostTurns(loops: readonly FlowNode[]): number {
  const counts = loops.map(({ data }) => Number(objectOf(data.inputs).maxLoopCount));
  const known = counts.filter((count) => Number.isFinite(count) && count > 0);
  return Math.min(1_000, known.length > 0 ? Math.max(...known) + 1 : 10);
}

/** Whether the flow comes from one node to another. */
function leads(graph: FlowGraph, from: string, to: string): boolean {
  const found = new Set([from]);
  for (const id of found) for (const edge of graph.edges) if (edge.from === id) found.add(edge.to);
  return found.has(to);
}

/** Puts a “Repeat until” before each node that a loop behind it goes back to, and a first node of each turn. */
export function withTurns(graph: FlowGraph): FlowGraph {
  const loops = new Map<string, FlowNode[]>();
  for (const loop of graph.nodes.filter(isLoop)) {
    const target = targetOf(loop, graph);
    if (!target || target.parent !== loop.parent || !leads(graph, target.id, loop.id)) continue;
    loops.set(target.id, [...(loops.get(target.id) ?? []), loop]);
  }
  const nodes = [...graph.nodes];
  let edges = [...graph.edges];
  for (const [id, some] of loops) {
    const target = graph.nodes.find((one) => one.id === id);
    if (!target) continue;
    const inner = target.parent === undefined ? {} : { parent: target.parent };
    const at = (x: number) => ({ x: target.position.x - x, y: target.position.y - 90 });
    const data = { target: target.name, turns: mostTurns(some) };
    nodes.push(
      {
        id: repeatId(id),
        name: `Repeat from ${target.name}`,
        type: "repeat-turns",
        position: at(180),
        data,
        ...inner,
        added: true,
      },
      {
        id: turnId(id),
        name: `Turn from ${target.name}`,
        type: "repeat-turn",
        position: at(90),
        data,
        ...inner,
        added: true,
      },
    );
    edges = edges.map((edge) => (edge.to === id && isFlow(edge) ? { ...edge, to: repeatId(id) } : edge));
    edges.push(added(repeatId(id), "main", turnId(id)), added(turnId(id), "", id));
  }
  return { ...graph, nodes, edges };
}

/** Models, memories and tools serve the node itself. */
const isFlow = ({ toHandle }: FlowEdge) => !/-input-(model|agentMemory|tools|memory)-/.test(toHandle);

const added = (from: string, fromHandle: string, to: string): FlowEdge => ({
  from,
  fromHandle,
  to,
  toHandle: "main",
  added: true,
});
