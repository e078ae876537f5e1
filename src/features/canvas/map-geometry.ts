import { type Box, boxAround } from "../../state/editing/node-box.ts";

/** Pixels. */
export const mapSize = { width: 200, height: 150 };

/** Pixels that stay free around what the map shows. */
const margin = 5;

/** The part of the canvas that a map shows, and how many units of the canvas one of its pixels is. */
export interface MapFrame {
  box: Box;
  scale: number;
}

/** The frame in which all nodes and what is in view have room. */
export function mapFrame(nodes: readonly Box[], view: Box): MapFrame {
  const shown = boxAround([...nodes, view]) ?? view;
  const scale = Math.max(shown.width / mapSize.width, shown.height / mapSize.height);
  const width = scale * (mapSize.width + 2 * margin);
  const height = scale * (mapSize.height + 2 * margin);
  const box = {
    x: shown.x - (width - shown.width) / 2,
    y: shown.y - (height - shown.height) / 2,
    width,
    height,
  };
  return { box, scale };
}

const outline = ({ x, y, width, height }: Box) => `M${x},${y}h${width}v${height}h${-width}z`;

/** Covers the map but for what is in view, with the even-odd rule. */
export function maskPath({ box, scale }: MapFrame, view: Box): string {
  const edge = margin * scale;
  const all = { x: box.x - edge, y: box.y - edge, width: box.width + 2 * edge, height: box.height + 2 * edge };
  return outline(all) + outline(view);
}

/** How far one unit of a wheel event zooms, by whether it counts pixels, lines or pages. */
const wheelSteps = [0.002, 0.05, 1];

/** By how much a turn of the wheel multiplies the zoom, as on the canvas itself. `isPinch` is a pinch on a Mac's touchpad. */
export function wheelFactor({ deltaY, deltaMode }: Pick<WheelEvent, "deltaY" | "deltaMode">, isPinch: boolean): number {
  return 2 ** (-deltaY * (wheelSteps[deltaMode] ?? 1) * (isPinch ? 10 : 1));
}
