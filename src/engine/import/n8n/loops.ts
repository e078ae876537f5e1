import type { Placed } from "./placed.ts";
import type { N8nEdge, N8nWorkflow } from "./read-n8n.ts";

/** Edges that close a circle: `ends` of a loop over items, and `cycles` that cannot be kept. */
export function loopBacks(
  workflow: N8nWorkflow,
  placed: ReadonlyMap<string, Placed>,
): { ends: Set<N8nEdge>; cycles: Set<N8nEdge> } {
  const ends = new Set<N8nEdge>();
  const cycles = new Set<N8nEdge>();
  const next = new Map<string, N8nEdge[]>();
  const indegree = new Map<string, number>();
  for (const edge of workflow.edges) {
    if (edge.kind !== "main") continue;
    next.set(edge.from, [...(next.get(edge.from) ?? []), edge]);
    indegree.set(edge.to, (indegree.get(edge.to) ?? 0) + 1);
  }
  const state = new Map<string, "open" | "done">();
  const isLoop = (name: string) =>
    placed.get(name)?.made.type === "for-each" && placed.get(name)?.node.type === "splitInBatches";
  // Starting from the nodes that nothing leads to finds the edges that lead back, not those that lead in.
  const starts = [...workflow.nodes].toSorted((a, b) => (indegree.get(a.name) ?? 0) - (indegree.get(b.name) ?? 0));
  for (const { name } of starts) {
    if (state.has(name)) continue;
    const stack: { name: string; at: number }[] = [{ name, at: 0 }];
    state.set(name, "open");
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const edge = next.get(top.name)?.[top.at];
      top.at += 1;
      if (!edge) {
        state.set(top.name, "done");
        stack.pop();
      } else if (state.get(edge.to) === "open") {
        (isLoop(edge.to) ? ends : cycles).add(edge);
      } else if (!state.has(edge.to)) {
        state.set(edge.to, "open");
        stack.push({ name: edge.to, at: 0 });
      }
    }
  }
  return { ends, cycles };
}
