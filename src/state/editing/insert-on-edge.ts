import { canConnect, definitionOf, edgeKind } from "../../engine/document/can-connect.ts";
import { type NodeRegistry, offeredTypes } from "../../engine/document/define-node.ts";
import type { EdgeRecord, NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Point } from "../editor/canvas-store.ts";
import { edgesOf } from "./edge-index.ts";
import type { Connection } from "./find-connection.ts";
import { nodeBox, nodeSize, type Size } from "./node-box.ts";
import { grid } from "./node-geometry.ts";
import { probeNode } from "./probe-node.ts";

/** Free canvas pixels that are kept before the node that an insertion pushes on. */
const pushGap = 72;

/** The two connections that take the place of an edge when a node is put on it, or undefined when it does not fit. */
export function splitEdge(
  document: WorkflowDocument,
  registry: NodeRegistry,
  edge: EdgeRecord,
  node: NodeRecord,
): { into: Connection; outOf: Connection } | undefined {
  const definition = definitionOf(registry, node.type);
  if (definition === undefined || edge.from.node === node.id || edge.to.node === node.id) return undefined;
  const { [edge.id]: _split, ...edges } = document.edges;
  const without: WorkflowDocument = { ...document, nodes: { ...document.nodes, [node.id]: node }, edges };
  for (const input of Object.keys(definition.inputs)) {
    const into = { from: edge.from, to: { node: node.id, port: input } };
    if (!canConnect(without, registry, into.from, into.to).ok) continue;
    for (const output of Object.keys(definition.outputs)) {
      const outOf = { from: { node: node.id, port: output }, to: edge.to };
      const withInto = { ...without, edges: { ...edges, "\u0000into": { id: "\u0000into", ...into } } };
      if (canConnect(withInto, registry, outOf.from, outOf.to).ok) return { into, outOf };
    }
  }
  return undefined;
}

/** The node types on offer that can stand on an edge, in the registry's order. */
export function typesThatSplit(document: WorkflowDocument, registry: NodeRegistry, edge: EdgeRecord) {
  return offeredTypes(registry).filter(
    (definition) => splitEdge(document, registry, edge, probeNode(definition)) !== undefined,
  );
}

/** Everything that follows a node on main, itself included, with the services that stand around those. */
function downstream(document: WorkflowDocument, registry: NodeRegistry, start: string): Set<string> {
  const reached = new Set([start]);
  const isMain = (edge: EdgeRecord) => (edgeKind(document, registry, edge) ?? "main") === "main";
  for (const id of reached) {
    for (const edge of edgesOf(document.edges, id).outgoing) if (isMain(edge)) reached.add(edge.to.node);
  }
  for (const id of reached) {
    for (const edge of edgesOf(document.edges, id).incoming) if (!isMain(edge)) reached.add(edge.from.node);
  }
  return reached;
}

/** Where a card on an edge stands best: not over the one before it, and level with that where it nearly is. */
export function placeOnEdge(
  document: WorkflowDocument,
  registry: NodeRegistry,
  edge: EdgeRecord,
  { position, size }: { position: Point; size: Size },
): Point {
  const before = document.nodes[edge.from.node];
  if (before === undefined) return position;
  const box = nodeBox(registry, before);
  const isLevel = Math.abs(position.y - box.y) < size.height;
  const y = isLevel ? box.y : position.y;
  const covers = isLevel && position.x < box.x + box.width + pushGap && position.x + size.width > box.x;
  return { x: covers ? box.x + box.width + pushGap : position.x, y };
}

/** Where the nodes after an edge go, so that a card of `width` at `position` has room before them. */
export function makeRoom(
  document: WorkflowDocument,
  registry: NodeRegistry,
  edge: EdgeRecord,
  { position, width }: { position: Point; width: number },
): Record<string, Point> {
  const next = document.nodes[edge.to.node];
  if (next === undefined) return {};
  const lacking = position.x + width + pushGap - next.position.x;
  const isBeside = position.y < next.position.y + nodeSize(registry, next).height + pushGap;
  if (lacking <= 0 || !isBeside || position.x < (document.nodes[edge.from.node]?.position.x ?? 0)) return {};
  const by = Math.ceil(lacking / grid) * grid;
  const moved: Record<string, Point> = {};
  for (const id of downstream(document, registry, edge.to.node)) {
    const node = document.nodes[id];
    if (node !== undefined) moved[id] = { x: node.position.x + by, y: node.position.y };
  }
  return moved;
}
