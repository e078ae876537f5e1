import { definitionOf, portOf } from "../../engine/document/can-connect.ts";
import type { AnyNodeDefinition, NodeRegistry } from "../../engine/document/define-node.ts";
import type { Ports } from "../../engine/document/ports.ts";
import type { EdgeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { edgesOf } from "./edge-index.ts";

/** The port of another node type that can take what a port of the old one had: the same name first, then the kind. */
function portFor(before: Ports, after: Ports, name: string, taken: ReadonlyMap<string, number>): string | undefined {
  const kind = portOf(before, name)?.kind;
  const hasRoom = (candidate: string) => {
    const port = portOf(after, candidate);
    return port !== undefined && port.kind === kind && (port.max === null || (taken.get(candidate) ?? 0) < port.max);
  };
  return hasRoom(name) ? name : Object.keys(after).find(hasRoom);
}

/** How the edges of a node lead on when it becomes one of another type: each with its new port, or `lost`. */
export function fitEdges(
  document: WorkflowDocument,
  registry: NodeRegistry,
  nodeId: string,
  next: AnyNodeDefinition,
): { kept: EdgeRecord[]; lost: EdgeRecord[] } {
  const node = document.nodes[nodeId];
  const before = node && definitionOf(registry, node.type);
  const { incoming, outgoing } = edgesOf(document.edges, nodeId);
  if (before === undefined) return { kept: [], lost: [...incoming, ...outgoing] };
  const kept: EdgeRecord[] = [];
  const lost: EdgeRecord[] = [];
  const taken = { in: new Map<string, number>(), out: new Map<string, number>() };
  for (const edge of [...incoming, ...outgoing]) {
    const arrives = edge.to.node === nodeId;
    const counts = arrives ? taken.in : taken.out;
    const port = arrives
      ? portFor(before.inputs, next.inputs, edge.to.port, counts)
      : portFor(before.outputs, next.outputs, edge.from.port, counts);
    if (port === undefined) {
      lost.push(edge);
      continue;
    }
    counts.set(port, (counts.get(port) ?? 0) + 1);
    kept.push(arrives ? { ...edge, to: { node: nodeId, port } } : { ...edge, from: { node: nodeId, port } });
  }
  return { kept, lost };
}
