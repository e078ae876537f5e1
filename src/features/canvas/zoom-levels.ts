import type { Detail, ZoomLevel } from "../../state/editor/canvas-store.ts";

export const fitOptions = { padding: 0.15, maxZoom: 1 };
export const minZoom = 0.1;

/** With fewer nodes than this, drawing all of them in full is cheaper than finding out what can be left out. */
export const cullFrom = 60;

/** Below this zoom a title is less than five pixels high. */
const boxesBelow = 0.2;

export function levelOf(zoom: number): ZoomLevel {
  if (zoom < 0.5) return "far";
  return zoom < 0.95 ? "normal" : "close";
}

/** How much is drawn of each of so many nodes. */
export function detailOf(zoom: number, nodes: number): Detail {
  if (nodes <= cullFrom || levelOf(zoom) !== "far") return "full";
  return zoom < boxesBelow ? "box" : "lean";
}
