import type { JsonObject } from "../../engine/json.ts";
import type { Place } from "../../engine/document/unplaced-nodes.ts";

/** One node of another builder's graph, as far as all builders are alike. */
export interface FlowNode {
  id: string;
  /** What people call it; need not be unique. */
  name: string;
  type: string;
  position: Place;
  data: JsonObject;
  /** The node in whose loop it stands. */
  parent?: string;
  /** Made while reading, to carry a loop's item or result; the report does not name it. */
  added?: true;
}

/** An edge; a handle is the name of the output or input where it is drawn. */
export interface FlowEdge {
  from: string;
  fromHandle: string;
  to: string;
  toHandle: string;
  added?: true;
}

/** A graph of another builder with its edges sorted out: both ends of each exist. */
export interface FlowGraph {
  format: string;
  name: string;
  description: string;
  nodes: FlowNode[];
  edges: FlowEdge[];
  /** Edges that cannot be drawn, in the words of the report. */
  lost: { from: string; to: string; why: string }[];
  vars?: JsonObject;
}

/** Splits edges into those whose ends exist and the others; equal ones count as one. */
export function sortedEdges(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): Pick<FlowGraph, "edges" | "lost"> {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const seen = new Set<string>();
  const sorted: Pick<FlowGraph, "edges" | "lost"> = { edges: [], lost: [] };
  for (const edge of edges) {
    const [from, to] = [names.get(edge.from), names.get(edge.to)];
    const key = JSON.stringify([edge.from, edge.fromHandle, edge.to, edge.toHandle]);
    if (from === undefined || to === undefined) {
      const why = `Left out: there is no node “${from === undefined ? edge.from : edge.to}”.`;
      sorted.lost.push({ from: from ?? edge.from, to: to ?? edge.to, why });
    } else if (seen.has(key)) {
      sorted.lost.push({ from, to, why: "Leads the same way as another one." });
    } else {
      seen.add(key);
      sorted.edges.push(edge);
    }
  }
  return sorted;
}

/** Nodes from which a node can be reached, the nearest first. */
export function nodesBefore(graph: Pick<FlowGraph, "nodes" | "edges">, id: string): FlowNode[] {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const into = new Map<string, string[]>();
  for (const { from, to } of graph.edges) into.set(to, [...(into.get(to) ?? []), from]);
  const seen = new Set([id]);
  const found: FlowNode[] = [];
  const open = [id];
  for (const one of open) {
    const inner = byId.get(one);
    for (const from of [...(into.get(one) ?? []), ...(inner?.parent === undefined ? [] : [inner.parent])]) {
      if (seen.has(from)) continue;
      seen.add(from);
      open.push(from);
      const node = byId.get(from);
      if (node) found.push(node);
    }
  }
  return found;
}
