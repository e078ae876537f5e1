import { definitionOf, edgeKind, portOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { PortKind, PortSide } from "../../engine/document/ports.ts";
import type { EdgeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { hiddenNodes } from "./group-members.ts";
import { cardWidth, headerHeight, type PlacedPort, type PortDirection } from "./node-geometry.ts";

/** The end of an edge as it is drawn: at its own node, or at the folded group that hides it. */
export interface ShownEnd {
  node: string;
  port: string;
}

/** What a port of a folded group is called: it stands for all ports inside of one kind and direction. */
function foldedPort(direction: PortDirection, kind: PortKind): string {
  return `${direction} ${kind}`;
}

/** Where an edge is drawn from and to; undefined when one folded group hides both ends. */
export function shownEnds(
  document: WorkflowDocument,
  registry: NodeRegistry,
  edge: EdgeRecord,
): { from: ShownEnd; to: ShownEnd } | undefined {
  const hidden = hiddenNodes(document.nodes);
  const source = hidden.get(edge.from.node);
  const target = hidden.get(edge.to.node);
  if (source === undefined && target === undefined) return { from: edge.from, to: edge.to };
  if ((source ?? edge.from.node) === (target ?? edge.to.node)) return undefined;
  const kind = edgeKind(document, registry, edge) ?? "main";
  return {
    from: source === undefined ? edge.from : { node: source, port: foldedPort("output", kind) },
    to: target === undefined ? edge.to : { node: target, port: foldedPort("input", kind) },
  };
}

/** The side on which the node inside has the port of an edge's end. */
function sideInside(
  document: WorkflowDocument,
  registry: NodeRegistry,
  end: ShownEnd,
  direction: PortDirection,
): PortSide {
  const definition = definitionOf(registry, document.nodes[end.node]?.type ?? "");
  const ports = direction === "input" ? definition?.inputs : definition?.outputs;
  return (ports && portOf(ports, end.port)?.side) ?? (direction === "input" ? "left" : "right");
}

type Loose = Pick<PlacedPort, "name" | "direction" | "port">;

/** The ports of one side in even steps, those of the main flow first. */
function alongSide(ports: readonly Loose[], side: PortSide): PlacedPort[] {
  const here = ports.filter(({ port }) => port.side === side);
  const sorted = here.toSorted((a, b) => Number(b.port.kind === "main") - Number(a.port.kind === "main"));
  const step = (length: number, index: number) => Math.round((length * (index + 1)) / (sorted.length + 1) / 4) * 4;
  return sorted.map((port, index) => {
    if (side === "left" || side === "right") {
      return { ...port, x: side === "left" ? 0 : cardWidth, y: step(headerHeight, index) };
    }
    return { ...port, x: step(cardWidth, index), y: side === "top" ? 0 : headerHeight };
  });
}

/** The ports of a folded group: one for each kind and direction in which edges leave or enter it. */
export function foldedPorts(document: WorkflowDocument, registry: NodeRegistry, groupId: string): PlacedPort[] {
  const crossing = new Map<string, Loose>();
  const cross = (shown: ShownEnd, inside: ShownEnd, direction: PortDirection, kind: PortKind) => {
    if (shown.node !== groupId || crossing.has(shown.port)) return;
    const side = sideInside(document, registry, inside, direction);
    crossing.set(shown.port, { name: shown.port, direction, port: { kind, label: kind, min: 0, max: null, side } });
  };
  for (const edge of Object.values(document.edges)) {
    const ends = shownEnds(document, registry, edge);
    if (ends === undefined) continue;
    const kind = edgeKind(document, registry, edge) ?? "main";
    cross(ends.from, edge.from, "output", kind);
    cross(ends.to, edge.to, "input", kind);
  }
  const ports = [...crossing.values()];
  return (["left", "right", "top", "bottom"] as const).flatMap((side) => alongSide(ports, side));
}
