import type { CanvasStore } from "../../state/editor/canvas-store.ts";

/** Milliseconds in which the pointer may go from a wire to its buttons. */
const grace = 300;

let leaving: ReturnType<typeof setTimeout> | undefined;

/** The pointer came to an edge or its buttons, or left them (null). */
export function hoverEdge(canvas: CanvasStore, edgeId: string | null): void {
  clearTimeout(leaving);
  if (edgeId !== null) {
    if (canvas.getState().hoveredEdge !== edgeId) canvas.setState({ hoveredEdge: edgeId });
  } else if (canvas.getState().hoveredEdge !== null) {
    leaving = setTimeout(() => canvas.setState({ hoveredEdge: null }), grace);
  }
}
