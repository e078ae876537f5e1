import { getBezierPath, Position, type ReactFlowState } from "@xyflow/react";
import type { Point } from "../../stores/canvas-store.ts";
import type { CanvasEdge, CanvasNode } from "./project-document.ts";

/** Fewer nodes than this are drawn anew with every step of a drag, by React: then all that belongs to them follows at once. */
export const layerFrom = 20;

type Flow = Pick<ReactFlowState<CanvasNode, CanvasEdge>, "domNode" | "edges" | "nodeLookup">;
type Places = Readonly<Record<string, Point>>;

interface MovedWire {
  paths: readonly SVGPathElement[];
  /** As it was drawn. */
  before: string;
  source: { id: string; position: Position } & Point;
  target: { id: string; position: Position } & Point;
}

/**
 * Many nodes on their way: each step shifts what is drawn, and neither React nor React Flow hears of it, so that the nodes
 * and wires that stay cost nothing. `end` puts everything back as it was drawn; the document then says where it belongs.
 */
export interface DragLayer {
  moveTo(places: Places): void;
  end(): void;
}

/** `from` are the places of the nodes that move, as the document has them. */
export function createDragLayer(flow: Flow, from: Places): DragLayer {
  const root = flow.domNode;
  const cards = [...(root?.querySelectorAll<HTMLElement>(".react-flow__node") ?? [])].flatMap((element) => {
    const start = from[element.dataset["id"] ?? ""];
    return start === undefined ? [] : [{ element, id: element.dataset["id"] ?? "", start }];
  });
  for (const { element } of cards) element.classList.add("dragging");
  const wires = wiresOf(flow, from);

  const offsetOf = (id: string, places: Places): Point => {
    const [start, place] = [from[id], places[id]];
    return start === undefined || place === undefined ? { x: 0, y: 0 } : { x: place.x - start.x, y: place.y - start.y };
  };

  return {
    moveTo(places) {
      for (const { element, id } of cards) {
        const { x, y } = offsetOf(id, places);
        element.style.translate = `${x}px ${y}px`;
      }
      for (const { paths, source, target } of wires) {
        const [by, to] = [offsetOf(source.id, places), offsetOf(target.id, places)];
        const [path] = getBezierPath({
          sourceX: source.x + by.x,
          sourceY: source.y + by.y,
          sourcePosition: source.position,
          targetX: target.x + to.x,
          targetY: target.y + to.y,
          targetPosition: target.position,
        });
        for (const element of paths) element.setAttribute("d", path);
      }
    },
    end() {
      for (const { element } of cards) {
        element.style.translate = "";
        element.classList.remove("dragging");
      }
      for (const { paths, before } of wires) for (const element of paths) element.setAttribute("d", before);
    },
  };
}

/** The wires that are drawn of the nodes in `moving`, with where their ends are. */
function wiresOf({ domNode, edges, nodeLookup }: Flow, moving: Places): MovedWire[] {
  const elements = new Map(
    [...(domNode?.querySelectorAll<SVGGElement>(".react-flow__edge") ?? [])].map((each) => [each.dataset["id"], each]),
  );
  const sideOf = (id: string, handle: string | null | undefined, type: "source" | "target", otherwise: Position) =>
    nodeLookup.get(id)?.internals.handleBounds?.[type]?.find((each) => each.id === handle)?.position ?? otherwise;
  return edges.flatMap((edge): MovedWire[] => {
    if (moving[edge.source] === undefined && moving[edge.target] === undefined) return [];
    const paths = [
      ...(elements
        .get(edge.id)
        ?.querySelectorAll<SVGPathElement>(".react-flow__edge-path, .react-flow__edge-interaction") ?? []),
    ];
    const before = paths[0]?.getAttribute("d") ?? "";
    const ends = endsOf(before);
    if (ends === null) return [];
    const source = sideOf(edge.source, edge.sourceHandle, "source", Position.Right);
    const target = sideOf(edge.target, edge.targetHandle, "target", Position.Left);
    return [
      {
        paths,
        before,
        source: { id: edge.source, position: source, ...ends.from },
        target: { id: edge.target, position: target, ...ends.to },
      },
    ];
  });
}

/** Where a path begins and ends; null for what is no path. */
export function endsOf(path: string): { from: Point; to: Point } | null {
  const numbers = (path.match(/-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/g) ?? []).map(Number);
  const [fromX, fromY, toX, toY] = [...numbers.slice(0, 2), ...numbers.slice(-2)];
  if (numbers.length < 4 || fromX === undefined || fromY === undefined || toX === undefined || toY === undefined)
    return null;
  return { from: { x: fromX, y: fromY }, to: { x: toX, y: toY } };
}
