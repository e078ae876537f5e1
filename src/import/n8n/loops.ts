import { backEdges } from "../flow/back-edges.ts";
import type { Placed } from "./placed.ts";
import type { N8nEdge, N8nWorkflow } from "./read-n8n.ts";

/** Edges that close a circle: `ends` of a loop over items, and `cycles` that cannot be kept. */
export function loopBacks(
  workflow: N8nWorkflow,
  placed: ReadonlyMap<string, Placed>,
): { ends: Set<N8nEdge>; cycles: Set<N8nEdge> } {
  const ends = new Set<N8nEdge>();
  const cycles = new Set<N8nEdge>();
  const names = workflow.nodes.map(({ name }) => name);
  const main = workflow.edges.filter(({ kind }) => kind === "main");
  const isLoop = (name: string) =>
    placed.get(name)?.made.type === "for-each" && placed.get(name)?.node.type === "splitInBatches";
  for (const edge of backEdges(names, main)) (isLoop(edge.to) ? ends : cycles).add(edge);
  return { ends, cycles };
}
