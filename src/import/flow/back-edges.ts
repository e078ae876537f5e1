interface Directed {
  from: string;
  to: string;
}

/** Edges that close a circle, walking from the nodes that nothing leads to. */
export function backEdges<Edge extends Directed>(nodes: readonly string[], edges: readonly Edge[]): Set<Edge> {
  const next = new Map<string, Edge[]>();
  const indegree = new Map<string, number>();
  for (const edge of edges) {
    next.set(edge.from, [...(next.get(edge.from) ?? []), edge]);
    indegree.set(edge.to, (indegree.get(edge.to) ?? 0) + 1);
  }
  const back = new Set<Edge>();
  const state = new Map<string, "open" | "done">();
  for (const start of nodes.toSorted((a, b) => (indegree.get(a) ?? 0) - (indegree.get(b) ?? 0))) {
    if (state.has(start)) continue;
    const stack = [{ name: start, at: 0 }];
    state.set(start, "open");
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const edge = next.get(top.name)?.[top.at];
      top.at += 1;
      if (!edge) {
        state.set(top.name, "done");
        stack.pop();
      } else if (state.get(edge.to) === "open") {
        back.add(edge);
      } else if (!state.has(edge.to)) {
        state.set(edge.to, "open");
        stack.push({ name: edge.to, at: 0 });
      }
    }
  }
  return back;
}
