import { Position, type Edge, type Node } from "@xyflow/react";
import { definitionOf, edgeKind } from "../../engine/document/can-connect.ts";
import type { AnyNodeDefinition, NodeRegistry } from "../../engine/document/define-node.ts";
import type { PortKind, Ports, PortSide } from "../../engine/document/ports.ts";
import type { EdgeRecord, NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { CanvasState, DraggedBox, Point, Selection } from "../../state/editor/canvas-store.ts";
import { foldedPorts, shownEnds, type ShownEnd } from "../../state/editing/folded-ports.ts";
import { hiddenNodes, isFolded, isGroup } from "../../state/editing/group-members.ts";
import { nodeSize } from "../../state/editing/node-box.ts";
import { nodeGeometry, type PlacedPort } from "../../state/editing/node-geometry.ts";
import { offOf } from "../../state/editing/node-off.ts";
import { placedPorts } from "../../state/editing/placed-ports.ts";

/** What React Flow gets of a node: its id; the node component reads everything else from the stores. */
export type CanvasNode = Node<{ id: string }, "card" | "note" | "frame" | "folded" | "ghost">;
export type CanvasEdge = Edge<{ kind: PortKind; route?: readonly Point[] }, "wire">;

/** Width and height of a port's box, in canvas pixels. */
const portSize = 12;

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

/** The canvas as a whole is one stop of the Tab key; arrow keys go from card to card within. */
const offTabOrder = { tabIndex: -1 };

interface NodeInput {
  record: NodeRecord;
  selected: boolean;
  drag: DraggedBox | undefined;
  /** Of a folded group, those that its crossing edges need. */
  ports: readonly PlacedPort[];
}

/** Frames lie under the wires, and a click into one goes to what is behind it; its header is what can be held. */
const layers = { frame: -2, note: -1 };
const seeThrough = { pointerEvents: "none" as const };

function lookOf(
  record: NodeRecord,
  definition: AnyNodeDefinition | undefined,
): Pick<CanvasNode, "type" | "zIndex" | "selectable" | "style"> {
  if (isFolded(record)) return { type: "folded" };
  if (isGroup(record)) return { type: "frame", zIndex: layers.frame, selectable: false, style: seeThrough };
  if (definition?.drawnAs === "note") return { type: "note", zIndex: layers.note };
  return { type: "card" };
}

/** Of the ports in the main flow of a card with several of them on one side, which carry labels there. */
function labelClasses(definition: AnyNodeDefinition | undefined): string {
  const mains = (ports: Ports = {}) => Object.values(ports).filter(({ kind }) => kind === "main").length;
  return `${mains(definition?.outputs) > 1 ? " card-branches" : ""}${mains(definition?.inputs) > 1 ? " card-joins" : ""}`;
}

function classOf(record: NodeRecord, definition: AnyNodeDefinition | undefined): string {
  const { tint } = record.config;
  const tinted = typeof tint === "string" && /^[a-z]+$/.test(tint) ? ` tint-${tint}` : "";
  if (isFolded(record)) return `card card-folded${tinted}`;
  if (isGroup(record)) return `frame${tinted}`;
  if (definition?.drawnAs === "note") return `card card-note${tinted}`;
  const off = record.disabled === true ? " card-off" : "";
  return `card card-${definition?.role ?? "unknown"}${off}${labelClasses(definition)}`;
}

function offWords(record: NodeRecord, registry: NodeRegistry): string {
  const off = offOf(registry, record);
  return off === null ? "" : `, ${off}`;
}

function projectNode({ record, selected, drag, ports }: NodeInput, registry: NodeRegistry): CanvasNode {
  const definition = definitionOf(registry, record.type);
  const size = nodeSize(registry, record);
  const width = drag?.width ?? size.width;
  const height = drag?.height ?? size.height;
  return {
    id: record.id,
    data: { id: record.id },
    ...lookOf(record, definition),
    position: drag === undefined ? record.position : { x: drag.x, y: drag.y },
    selected,
    dragging: drag !== undefined,
    width,
    height,
    measured: { width, height },
    handles: ports.map(handleOf),
    className: classOf(record, definition),
    ariaLabel: `${record.title}, ${definition?.title ?? "unknown type"}${offWords(record, registry)}`,
    domAttributes: offTabOrder,
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

interface EdgeInput {
  record: EdgeRecord;
  from: NodeRecord | undefined;
  to: NodeRecord | undefined;
  ends: { from: ShownEnd; to: ShownEnd };
  selected: boolean;
  isDropTarget: boolean;
}

function projectEdge(input: EdgeInput, document: WorkflowDocument, registry: NodeRegistry): CanvasEdge {
  const { record, ends, from, to, selected, isDropTarget } = input;
  const kind = edgeKind(document, registry, record) ?? "main";
  const known = (id: string) => definitionOf(registry, document.nodes[id]?.type ?? "") !== undefined;
  return {
    id: record.id,
    type: "wire",
    data: { kind },
    source: ends.from.node,
    sourceHandle: handleId(known(ends.from.node) ? ends.from.port : ""),
    target: ends.to.node,
    targetHandle: handleId(known(ends.to.node) ? ends.to.port : ""),
    selected,
    // The ends of a selected wire can be pulled off; of others that would take two more elements each.
    reconnectable: selected && ends.from === record.from && ends.to === record.to,
    className: isDropTarget ? "drop-target" : undefined,
    domAttributes: offTabOrder,
    ariaLabel: `${kind === "main" ? "Connection" : `${kind} connection`} from ${from?.title ?? ""} to ${to?.title ?? ""}`,
  };
}

const sameBox = (a: DraggedBox | undefined, b: DraggedBox | undefined) =>
  a === b || (a?.x === b?.x && a?.y === b?.y && a?.width === b?.width && a?.height === b?.height);

/** The ports of a folded group are made anew each time; those of a card are one of few lists. */
const samePorts = (a: readonly PlacedPort[], b: readonly PlacedPort[], folded: boolean) =>
  a === b || (folded && a.map(({ name }) => name).join() === b.map(({ name }) => name).join());

/** Turns the document into React Flow's nodes; a node that looks as before keeps its object, so it is not drawn again. */
export function createNodeProjector(registry: NodeRegistry) {
  let cache = new Map<string, NodeInput & { node: CanvasNode }>();
  return (document: WorkflowDocument, selection: Selection["nodes"], drag: CanvasState["drag"]): CanvasNode[] => {
    const hidden = hiddenNodes(document.nodes);
    const next: typeof cache = new Map();
    const nodes: CanvasNode[] = [];
    // Every step of a drag comes through here for every node, so nothing is made for those that stay as they are.
    for (const id in document.nodes) {
      const record = document.nodes[id];
      if (record === undefined || hidden.has(id)) continue;
      const folded = isFolded(record);
      const ports = folded ? foldedPorts(document, registry, id) : placedPorts(document, registry, record);
      const selected = selection[id] === true;
      let entry = cache.get(id);
      if (
        entry === undefined ||
        entry.record !== record ||
        entry.selected !== selected ||
        !sameBox(entry.drag, drag?.[id]) ||
        !samePorts(entry.ports, ports, folded)
      ) {
        const input: NodeInput = { record, selected, drag: drag?.[id], ports };
        entry = { ...input, node: projectNode(input, registry) };
      }
      next.set(id, entry);
      nodes.push(entry.node);
    }
    cache = next;
    return nodes;
  };
}

/** As `createNodeProjector`, for edges. */
export function createEdgeProjector(registry: NodeRegistry) {
  let cache = new Map<string, EdgeInput & { edge: CanvasEdge | null }>();
  return (document: WorkflowDocument, selection: Selection["edges"], dropEdge: string | null): CanvasEdge[] => {
    const next: typeof cache = new Map();
    for (const record of Object.values(document.edges)) {
      const ends = shownEnds(document, registry, record);
      if (ends === undefined) continue;
      const input: EdgeInput = {
        record,
        ends,
        from: document.nodes[record.from.node],
        to: document.nodes[record.to.node],
        selected: selection[record.id] === true,
        isDropTarget: record.id === dropEdge,
      };
      const before = cache.get(record.id);
      if (before !== undefined && sameEdge(before, input)) {
        next.set(record.id, before);
        continue;
      }
      const edge = canDraw(record, document, registry) ? projectEdge(input, document, registry) : null;
      next.set(record.id, { ...input, edge });
    }
    cache = next;
    return [...next.values()].flatMap(({ edge }) => edge ?? []);
  };
}

const sameEnd = (a: ShownEnd, b: ShownEnd) => a.node === b.node && a.port === b.port;

/** Whether an edge looks as before: what it says of its ends depends on their types and titles alone. */
function sameEdge(a: EdgeInput, b: EdgeInput): boolean {
  return (
    a.record === b.record &&
    a.selected === b.selected &&
    a.isDropTarget === b.isDropTarget &&
    a.from?.type === b.from?.type &&
    a.from?.title === b.from?.title &&
    a.to?.type === b.to?.type &&
    a.to?.title === b.to?.title &&
    sameEnd(a.ends.from, b.ends.from) &&
    sameEnd(a.ends.to, b.ends.to)
  );
}
