import { edgeKind } from "../../engine/document/can-connect.ts";
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

const kinds: readonly PortKind[] = ["main", "model", "memory", "tool"];

function sideOf(kind: PortKind, direction: PortDirection): PortSide {
  if (kind === "main") return direction === "input" ? "left" : "right";
  return direction === "input" ? "bottom" : "top";
}

/** The ports of a folded group: one for each kind and direction in which edges leave or enter it. */
export function foldedPorts(document: WorkflowDocument, registry: NodeRegistry, groupId: string): PlacedPort[] {
  const crossing = new Set<string>();
  for (const edge of Object.values(document.edges)) {
    const ends = shownEnds(document, registry, edge);
    if (ends?.from.node === groupId) crossing.add(ends.from.port);
    if (ends?.to.node === groupId) crossing.add(ends.to.port);
  }
  return (["input", "output"] as const).flatMap((direction) => {
    const present = kinds.filter((kind) => crossing.has(foldedPort(direction, kind)));
    const services: readonly PortKind[] = present.filter((kind) => kind !== "main");
    return present.map((kind): PlacedPort => {
      const side = sideOf(kind, direction);
      const port = { kind, label: kind, min: 0, max: null, side };
      const name = foldedPort(direction, kind);
      if (side === "left" || side === "right") {
        return { name, direction, port, x: side === "left" ? 0 : cardWidth, y: headerHeight / 2 };
      }
      const x = Math.round((cardWidth * (services.indexOf(kind) + 1)) / (services.length + 1) / 4) * 4;
      return { name, direction, port, x, y: side === "top" ? 0 : headerHeight };
    });
  });
}
