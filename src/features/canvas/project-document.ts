import { Position, type Edge, type Node } from "@xyflow/react";
import { definitionOf, edgeKind } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { PortKind, PortSide } from "../../engine/document/ports.ts";
import type { EdgeRecord, NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { CanvasState, Selection } from "../../stores/canvas-store.ts";
import { nodeGeometry, type PlacedPort } from "../../stores/editing/node-geometry.ts";

/** What React Flow gets of a node: its id; the node component reads everything else from the stores. */
export type CanvasNode = Node<{ id: string }, "card">;
export type CanvasEdge = Edge<{ kind: PortKind }, "wire">;

/** Width and height of a port's box, in canvas pixels. */
export const portSize = 12;

export const positionOf: Record<PortSide, Position> = {
  left: Position.Left,
  right: Position.Right,
  top: Position.Top,
  bottom: Position.Bottom,
};

/** React Flow takes an empty handle id for none; a node of an unknown type has one port a side, without a name. */
export function handleId(name: string): string {
  return name === "" ? "any" : name;
}

function handleOf({ name, direction, port, x, y }: PlacedPort) {
  return {
    id: handleId(name),
    type: direction === "input" ? ("target" as const) : ("source" as const),
    position: positionOf[port.side],
    x: x - portSize / 2,
    y: y - portSize / 2,
    width: portSize,
    height: portSize,
  };
}

interface NodeInput {
  record: NodeRecord;
  selected: boolean;
  drag: { x: number; y: number } | undefined;
}

function projectNode({ record, selected, drag }: NodeInput, registry: NodeRegistry): CanvasNode {
  const definition = definitionOf(registry, record.type);
  const { width, height, ports } = nodeGeometry(definition);
  return {
    id: record.id,
    type: "card",
    data: { id: record.id },
    position: drag ?? record.position,
    selected,
    dragging: drag !== undefined,
    width,
    height,
    measured: { width, height },
    handles: ports.map(handleOf),
    className: `card card-${definition?.role ?? "unknown"}${ports.length === 0 ? " card-note" : ""}`,
    ariaLabel: `${record.title}, ${definition?.title ?? "unknown type"}`,
  };
}

/** Whether both ends are ports that are there; an edge that leads nowhere is a problem in the list, not a line. */
function canDraw(record: EdgeRecord, document: WorkflowDocument, registry: NodeRegistry): boolean {
  const has = (id: string, name: string, direction: PlacedPort["direction"]) => {
    const node = document.nodes[id];
    const definition = node && definitionOf(registry, node.type);
    if (definition === undefined) return node !== undefined;
    return nodeGeometry(definition).ports.some((placed) => placed.direction === direction && placed.name === name);
  };
  return has(record.from.node, record.from.port, "output") && has(record.to.node, record.to.port, "input");
}

function projectEdge(
  record: EdgeRecord,
  selected: boolean,
  document: WorkflowDocument,
  registry: NodeRegistry,
): CanvasEdge {
  const kind = edgeKind(document, registry, record) ?? "main";
  const known = (id: string) => definitionOf(registry, document.nodes[id]?.type ?? "") !== undefined;
  const from = document.nodes[record.from.node]?.title ?? "";
  const to = document.nodes[record.to.node]?.title ?? "";
  return {
    id: record.id,
    type: "wire",
    data: { kind },
    source: record.from.node,
    sourceHandle: handleId(known(record.from.node) ? record.from.port : ""),
    target: record.to.node,
    targetHandle: handleId(known(record.to.node) ? record.to.port : ""),
    selected,
    ariaLabel: `${kind === "main" ? "Connection" : `${kind} connection`} from ${from} to ${to}`,
  };
}

/** Turns the document into React Flow's nodes; a node that looks as before keeps its object, so it is not drawn again. */
export function createNodeProjector(registry: NodeRegistry) {
  let cache = new Map<string, NodeInput & { node: CanvasNode }>();
  return (nodes: WorkflowDocument["nodes"], selection: Selection["nodes"], drag: CanvasState["drag"]): CanvasNode[] => {
    const next: typeof cache = new Map();
    for (const record of Object.values(nodes)) {
      const input = { record, selected: selection[record.id] === true, drag: drag?.[record.id] };
      const before = cache.get(record.id);
      const same =
        before !== undefined &&
        before.record === record &&
        before.selected === input.selected &&
        before.drag?.x === input.drag?.x &&
        before.drag?.y === input.drag?.y;
      next.set(record.id, same ? before : { ...input, node: projectNode(input, registry) });
    }
    cache = next;
    return [...next.values()].map(({ node }) => node);
  };
}

/** As `createNodeProjector`, for edges. */
export function createEdgeProjector(registry: NodeRegistry) {
  let cache = new Map<string, { key: string; edge: CanvasEdge }>();
  return (document: WorkflowDocument, selection: Selection["edges"]): CanvasEdge[] => {
    const next: typeof cache = new Map();
    for (const record of Object.values(document.edges)) {
      if (!canDraw(record, document, registry)) continue;
      const edge = projectEdge(record, selection[record.id] === true, document, registry);
      const key = JSON.stringify(edge);
      const before = cache.get(record.id);
      next.set(record.id, before?.key === key ? before : { key, edge });
    }
    cache = next;
    return [...next.values()].map(({ edge }) => edge);
  };
}
