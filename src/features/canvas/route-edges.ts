import { getBezierPath } from "@xyflow/react";
import type { Point } from "../../state/editor/canvas-store.ts";
import { type Box, boxAround, contains } from "../../state/editing/node-box.ts";
import { type CanvasEdge, type CanvasNode, positionOf } from "./project-document.ts";
import { crosses, grown, overlap, routeAround, type WireEnd } from "./route-around.ts";

/** Canvas pixels that a curve keeps from a card to count as going past it. */
const touch = 3;
/** Points of a curve that are looked at. */
const samples = 40;
/** A route that meets further cards is worked out again, with them, at most so often. */
const rounds = 6;
/** With more cards in its way than this, a wire is a plain curve: a route round all of them would be harder to follow. */
const mostWalls = 12;

interface Wire {
  source: WireEnd;
  target: WireEnd;
  sourceId: string;
  targetId: string;
}

interface Known {
  wire: Wire;
  /** Around everything that the route depends on. */
  area: Box;
  route: readonly Point[] | null;
  /** As it came in, and as it went out. */
  edge: CanvasEdge;
  routed: CanvasEdge;
}

type Card = Box & { id: string };

/** Wires lie over notes and frames. */
const isCard = ({ type }: CanvasNode) => type === "card" || type === "folded";

function boxOf({ id, position, width = 0, height = 0 }: CanvasNode): Card {
  return { id, x: position.x, y: position.y, width, height };
}

/** Where React Flow ends a wire: at the outer edge of the port's box. */
function endOf(node: CanvasNode | undefined, type: "source" | "target", id: string | null | undefined): WireEnd | null {
  const handle = node?.handles?.find((each) => each.type === type && each.id === id);
  if (node === undefined || handle === undefined) return null;
  const { x, y, position: side, width = 0, height = 0 } = handle;
  const [left, top] = [node.position.x + x, node.position.y + y];
  const isLevel = side === "left" || side === "right";
  return {
    side,
    x: isLevel ? left + (side === "right" ? width : 0) : left + width / 2,
    y: isLevel ? top + height / 2 : top + (side === "bottom" ? height : 0),
  };
}

function curveOf({ source, target }: Wire): Point[] {
  const [path] = getBezierPath({
    sourceX: source.x,
    sourceY: source.y,
    sourcePosition: positionOf[source.side],
    targetX: target.x,
    targetY: target.y,
    targetPosition: positionOf[target.side],
  });
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = (
    path.match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) ?? []
  ).map(Number);
  return Array.from({ length: samples + 1 }, (_, index) => {
    const t = index / samples;
    const [a, b, c, d] = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3];
    return { x: a * x0 + b * x1 + c * x2 + d * x3, y: a * y0 + b * y1 + c * y2 + d * y3 };
  });
}

const around = (points: readonly Point[]): Box =>
  boxAround(points.map((point) => ({ ...point, width: 1, height: 1 }))) ?? { x: 0, y: 0, width: 0, height: 0 };

/** How a wire goes round the cards, or null where its curve meets none or there is no way; with all that it depends on. */
function routeOf(wire: Wire, cards: readonly Card[]): { route: Point[] | null; area: Box } {
  const curve = curveOf(wire);
  const area = grown(around(curve), touch);
  const isOwn = ({ id }: Card) => id === wire.sourceId || id === wire.targetId;
  const isMet = cards.some((card) => {
    const box = grown(card, isOwn(card) ? 0 : touch);
    return overlap(box, area) && curve.some((point) => contains(box, point));
  });
  if (!isMet) return { route: null, area };
  // Those in the way join as they are met, since few of many that a curve crosses stand in the way of a route.
  const walls = cards.filter(isOwn);
  for (let round = 0; round < rounds && walls.length <= mostWalls; round += 1) {
    const route = routeAround(wire.source, wire.target, walls);
    const dependsOn = boxAround([area, ...walls, ...(route ? [around(route)] : [])]) ?? area;
    if (route === null) return { route, area: dependsOn };
    const further = cards.filter((card) => !walls.includes(card) && crosses(route, grown(card, touch)));
    if (further.length === 0) return { route, area: dependsOn };
    walls.push(...further);
  }
  return { route: null, area: boxAround([area, ...walls]) ?? area };
}

const sameEnd = (a: WireEnd, b: WireEnd) => a.x === b.x && a.y === b.y && a.side === b.side;
const sameBox = (a: Box, b: Box) => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/** The boxes where a card came, went or has moved. */
function changesOf(before: ReadonlyMap<string, Card>, now: ReadonlyMap<string, Card>): Box[] {
  const moved = [...now.values()].flatMap((card) => {
    const last = before.get(card.id);
    if (last === undefined) return [card];
    return sameBox(last, card) ? [] : [last, card];
  });
  return [...moved, ...[...before.values()].filter(({ id }) => !now.has(id))];
}

/**
 * Gives edges their ways round the cards that stand between their ends. Works out anew only those for which something has
 * changed. With null for the nodes, such as while some are dragged, the ways stay as they were.
 */
export function createEdgeRouter() {
  let cards: ReadonlyMap<string, Card> = new Map();
  let known = new Map<string, Known>();
  return (nodes: readonly CanvasNode[] | null, edges: readonly CanvasEdge[]): CanvasEdge[] => {
    const byId = nodes && new Map(nodes.map((node) => [node.id, node]));
    const now = nodes === null ? cards : new Map(nodes.filter(isCard).map((node) => [node.id, boxOf(node)]));
    const changes = nodes === null ? [] : changesOf(cards, now);
    const standing = [...now.values()];
    const next: typeof known = new Map();
    const result = edges.map((edge) => {
      const before = known.get(edge.id);
      if (byId === null) {
        if (before === undefined) return edge;
        const kept = { ...before, edge, routed: withRoute(edge, before.route, before) };
        next.set(edge.id, kept);
        return kept.routed;
      }
      const source = endOf(byId.get(edge.source), "source", edge.sourceHandle);
      const target = endOf(byId.get(edge.target), "target", edge.targetHandle);
      if (source === null || target === null) return edge;
      const wire = { source, target, sourceId: edge.source, targetId: edge.target };
      const isSame =
        before !== undefined &&
        sameEnd(before.wire.source, source) &&
        sameEnd(before.wire.target, target) &&
        !changes.some((box) => overlap(grown(box, touch), before.area));
      const { route, area } = isSame ? before : routeOf(wire, standing);
      const routed = withRoute(edge, route, before);
      next.set(edge.id, { wire, area, route, edge, routed });
      return routed;
    });
    cards = now;
    known = next;
    return result;
  };
}

/** The same object as before where nothing is different, so that it is not drawn again. */
function withRoute(edge: CanvasEdge, route: readonly Point[] | null, before: Known | undefined): CanvasEdge {
  if (before?.edge === edge && before.route === route) return before.routed;
  return route === null ? edge : { ...edge, data: { kind: edge.data?.kind ?? "main", route } };
}
