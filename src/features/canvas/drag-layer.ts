import { getBezierPath, Position, type ReactFlowState } from "@xyflow/react";
import type { Point } from "../../state/editor/canvas-store.ts";
import { farCorners } from "./far-corners.ts";
import type { CanvasEdge, CanvasNode } from "./project-document.ts";

/** Fewer nodes than this are drawn anew with every step of a drag, by React: then all that belongs to them follows at once. */
export const layerFrom = 20;

type Flow = Pick<
  ReactFlowState<CanvasNode, CanvasEdge>,
  "domNode" | "edges" | "nodeLookup" | "transform" | "width" | "height"
>;
type Ids = ReadonlySet<string>;

/**
 * Many nodes on their way: a picture of them, with the wires among them, is shifted as a whole over the nodes and wires
 * that stay, and neither React nor React Flow hears of it. Only wires between a moving and a resting node are drawn anew
 * with each step. `end` puts everything back as it was drawn; the document then says where it belongs.
 */
export interface DragLayer {
  /** By how much the nodes are away from where they began. */
  moveTo(by: Point): void;
  end(): void;
}

/** A wire with one end that moves. */
interface LooseWire {
  path: SVGPathElement;
  source: WireEnd;
  target: WireEnd;
}

interface WireEnd extends Point {
  moves: boolean;
  position: Position;
}

export function createDragLayer(flow: Flow, moving: Ids): DragLayer {
  const { domNode: root } = flow;
  const viewport = root?.querySelector<HTMLElement>(".react-flow__viewport") ?? null;
  const nodes = viewport?.querySelector(":scope > .react-flow__nodes") ?? null;
  if (root === null || viewport === null || nodes === null) return { moveTo() {}, end() {} };

  const hidden: (HTMLElement | SVGElement)[] = [];
  const sheets: HTMLElement[] = [];
  const shifted: HTMLElement[] = [];

  // Wires lie under all cards, those that stay included.
  const [tight, loose] = [sheetAt("0"), sheetAt("0")];
  const wires = looseWires(flow, moving, { tight: drawingOn(tight), loose: drawingOn(loose), hidden });
  loose.firstElementChild?.append(cornersOf(flow));
  nodes.before(tight, loose);
  sheets.push(tight, loose);
  shifted.push(tight);

  // Frames and notes lie under the cards that stay.
  const levels = new Map<string, HTMLElement>();
  const pictures = new Map<Element, HTMLElement>();
  for (const card of nodes.querySelectorAll<HTMLElement>(":scope > .react-flow__node")) {
    if (!moving.has(card.dataset["id"] ?? "")) continue;
    card.classList.add("dragging");
    const level = card.style.zIndex;
    const sheet = levels.get(level) ?? sheetAt(level);
    levels.set(level, sheet);
    const picture = pictureOf(card);
    pictures.set(card, picture);
    sheet.append(picture);
    hidden.push(card);
  }
  viewport.append(...levels.values());
  sheets.push(...levels.values());
  shifted.push(...levels.values());

  for (const element of hidden) element.style.opacity = "0";
  root.dataset["dragging"] = "";

  // A run goes on meanwhile.
  const observer = new MutationObserver((changes) => {
    const changed = new Set(changes.map(({ target }) => cardOf(target)));
    for (const card of changed) {
      const before = card && pictures.get(card);
      if (!before) continue;
      const picture = pictureOf(card);
      before.replaceWith(picture);
      pictures.set(card, picture);
    }
  });
  for (const card of pictures.keys()) {
    observer.observe(card, { subtree: true, childList: true, characterData: true, attributes: true });
  }

  return {
    moveTo(by) {
      for (const sheet of shifted) sheet.style.transform = `translate(${by.x}px, ${by.y}px)`;
      for (const { path, source, target } of wires) path.setAttribute("d", pathBetween(source, target, by));
    },
    end() {
      observer.disconnect();
      for (const sheet of sheets) sheet.remove();
      for (const element of hidden) element.style.opacity = "";
      for (const card of pictures.keys()) card.classList.remove("dragging");
      delete root.dataset["dragging"];
    },
  };
}

function sheetAt(zIndex: string): HTMLElement {
  const sheet = document.createElement("div");
  sheet.classList.add("drag-sheet");
  sheet.setAttribute("aria-hidden", "true");
  sheet.style.zIndex = zIndex;
  return sheet;
}

function drawingOn(sheet: HTMLElement): SVGSVGElement {
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  sheet.append(drawing);
  return drawing;
}

/** Nothing that is seen, so that the wires between take the same room wherever they are. */
function cornersOf({ transform: [x, y, zoom], width, height }: Flow): SVGPathElement {
  const corners = document.createElementNS("http://www.w3.org/2000/svg", "path");
  corners.setAttribute("d", farCorners({ x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom }));
  corners.setAttribute("fill", "transparent");
  return corners;
}

function pictureOf<Drawn extends HTMLElement | SVGElement>(drawn: Drawn): Drawn {
  const picture = drawn.cloneNode(true) as Drawn;
  picture.dataset["pictureOf"] = drawn.dataset["id"];
  // Whoever looks for the node or the wire finds itself.
  for (const name of ["data-id", "data-testid", "tabindex"]) picture.removeAttribute(name);
  picture.classList.remove("react-flow__node");
  picture.style.opacity = "";
  return picture;
}

function cardOf(target: Node): HTMLElement | null {
  const element = target instanceof Element ? target : target.parentElement;
  return element?.closest<HTMLElement>(".react-flow__node") ?? null;
}

/** Puts a picture of each wire of the moving nodes on its sheet. Returns those that are drawn anew while they move. */
function looseWires(
  { domNode, edges, nodeLookup }: Flow,
  moving: Ids,
  { tight, loose, hidden }: { tight: SVGElement; loose: SVGElement; hidden: (HTMLElement | SVGElement)[] },
): LooseWire[] {
  const elements = new Map(
    [...(domNode?.querySelectorAll<SVGGElement>(".react-flow__edge") ?? [])].map((each) => [each.dataset["id"], each]),
  );
  const sideOf = (id: string, handle: string | null | undefined, type: "source" | "target", otherwise: Position) =>
    nodeLookup.get(id)?.internals.handleBounds?.[type]?.find((each) => each.id === handle)?.position ?? otherwise;
  return edges.flatMap((edge): LooseWire[] => {
    const [from, to] = [moving.has(edge.source), moving.has(edge.target)];
    const element = elements.get(edge.id);
    if (element === undefined || (!from && !to)) return [];
    hidden.push(element);
    const picture = pictureOf(element);
    picture.querySelector(".react-flow__edge-interaction")?.remove();
    (from && to ? tight : loose).append(picture);
    if (from && to) return [];
    const path = picture.querySelector<SVGPathElement>(".react-flow__edge-path");
    const ends = endsOf(path?.getAttribute("d") ?? "");
    if (path === null || ends === null) return [];
    const source = sideOf(edge.source, edge.sourceHandle, "source", Position.Right);
    const target = sideOf(edge.target, edge.targetHandle, "target", Position.Left);
    return [
      {
        path,
        source: { moves: from, position: source, ...ends.from },
        target: { moves: to, position: target, ...ends.to },
      },
    ];
  });
}

function pathBetween(source: WireEnd, target: WireEnd, by: Point): string {
  const place = ({ moves, x, y }: WireEnd) => (moves ? { x: x + by.x, y: y + by.y } : { x, y });
  const [from, to] = [place(source), place(target)];
  const [path] = getBezierPath({
    sourceX: from.x,
    sourceY: from.y,
    sourcePosition: source.position,
    targetX: to.x,
    targetY: to.y,
    targetPosition: target.position,
  });
  return path;
}

/** Where a path begins and ends; null for what is no path. */
export function endsOf(path: string): { from: Point; to: Point } | null {
  const numbers = (path.match(/-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/g) ?? []).map(Number);
  const [fromX, fromY, toX, toY] = [...numbers.slice(0, 2), ...numbers.slice(-2)];
  if (numbers.length < 4 || fromX === undefined || fromY === undefined || toX === undefined || toY === undefined)
    return null;
  return { from: { x: fromX, y: fromY }, to: { x: toX, y: toY } };
}
