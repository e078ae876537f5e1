import type { EdgeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";

/** The edges of one node, in the document's order. */
interface NodeEdges {
  incoming: readonly EdgeRecord[];
  outgoing: readonly EdgeRecord[];
}

type Edges = WorkflowDocument["edges"];

const indexes = new WeakMap<Edges, Map<string, { incoming: EdgeRecord[]; outgoing: EdgeRecord[] }>>();
const none: NodeEdges = { incoming: [], outgoing: [] };

function build(edges: Edges): Map<string, { incoming: EdgeRecord[]; outgoing: EdgeRecord[] }> {
  const index = new Map<string, { incoming: EdgeRecord[]; outgoing: EdgeRecord[] }>();
  const entry = (id: string) => {
    const found = index.get(id) ?? { incoming: [], outgoing: [] };
    index.set(id, found);
    return found;
  };
  for (const edge of Object.values(edges)) {
    entry(edge.to.node).incoming.push(edge);
    entry(edge.from.node).outgoing.push(edge);
  }
  return index;
}

/** The edges of a node. The index is built once for each state of the edges, so this is cheap for every node. */
export function edgesOf(edges: Edges, nodeId: string): NodeEdges {
  let index = indexes.get(edges);
  if (index === undefined) {
    index = build(edges);
    indexes.set(edges, index);
  }
  return index.get(nodeId) ?? none;
}
