import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { Port, PortSide } from "../../engine/document/ports.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Point } from "../editor/canvas-store.ts";
import { hiddenNodes, isFolded, isGroup } from "./group-members.ts";
import { type Box, nodeSize, type Size } from "./node-box.ts";
import { grid, type NodeGeometry } from "./node-geometry.ts";

/** Free space that is kept between two cards, in canvas pixels. */
const gap = { x: 72, y: 32 };

export function snap(point: Point): Point {
  return { x: Math.round(point.x / grid) * grid, y: Math.round(point.y / grid) * grid };
}

function overlaps(document: WorkflowDocument, registry: NodeRegistry, at: Point, size: Size): boolean {
  const margin = grid * 2;
  const hidden = hiddenNodes(document.nodes);
  return Object.values(document.nodes).some((node) => {
    // A card may stand in a frame.
    if (hidden.has(node.id) || (isGroup(node) && !isFolded(node))) return false;
    const other = nodeSize(registry, node);
    return (
      at.x < node.position.x + other.width + margin &&
      node.position.x < at.x + size.width + margin &&
      at.y < node.position.y + other.height + margin &&
      node.position.y < at.y + size.height + margin
    );
  });
}

/** The nearest place to `wanted` where a card covers no other one, searched downwards and then to the right. */
export function freePlace(document: WorkflowDocument, registry: NodeRegistry, wanted: Point, size: Size): Point {
  const start = snap(wanted);
  for (let column = 0; column < 8; column += 1) {
    for (let row = 0; row < 24; row += 1) {
      const at = { x: start.x + column * (size.width + gap.x), y: start.y + row * (size.height + gap.y) };
      if (!overlaps(document, registry, at, size)) return snap(at);
    }
  }
  return start;
}

/** Of a card, how much has to be in view. */
const share = { x: 0.6, y: 0.9 };

/**
 * The place itself where most of the card is in view there; else the nearest one in the room where it covers no other card;
 * else, in a crowded room, the place itself.
 */
export function placeInRoom(
  document: WorkflowDocument,
  registry: NodeRegistry,
  place: Point,
  size: Size,
  room: Box,
): Point {
  const least = { x: room.x + grid, y: room.y + grid };
  const most = { x: room.x + room.width - size.width - grid, y: room.y + room.height - size.height - grid };
  const spare = { x: size.width * (1 - share.x), y: size.height * (1 - share.y) };
  const isSeen =
    place.x >= least.x - spare.x &&
    place.x <= most.x + spare.x &&
    place.y >= least.y - spare.y &&
    place.y <= most.y + spare.y;
  if (isSeen) return place;
  let best: Point | undefined;
  const distance = (at: Point) => Math.hypot(at.x - place.x, at.y - place.y);
  for (let x = least.x; x <= most.x; x += grid * 4) {
    for (let y = least.y; y <= most.y; y += grid * 4) {
      const at = snap({ x, y });
      if (best !== undefined && distance(at) >= distance(best)) continue;
      if (!overlaps(document, registry, at, size)) best = at;
    }
  }
  return best ?? place;
}

/** Where a card looks right beside a port of another node: level with it, on the side that the port faces. */
export function placeBeside(node: Point, owner: NodeGeometry, port: Port, size: Size): Point {
  const beside: Record<PortSide, Point> = {
    left: { x: node.x - gap.x - size.width, y: port.kind === "main" ? node.y : node.y + owner.height + gap.y },
    right: { x: node.x + owner.width + gap.x, y: port.kind === "main" ? node.y : node.y + owner.height + gap.y },
    top: { x: node.x + (owner.width - size.width) / 2, y: node.y - gap.y * 2 - size.height },
    bottom: { x: node.x + (owner.width - size.width) / 2, y: node.y + owner.height + gap.y * 3 },
  };
  return snap(beside[port.side]);
}
