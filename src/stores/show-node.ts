import type { CanvasStore } from "./canvas-store.ts";
import { isOnePane } from "./one-pane.ts";
import { panelStore } from "./panel-store.ts";

/** Selects a node and brings it into view. */
export function showNode(canvas: CanvasStore, nodeId: string): void {
  if (isOnePane()) panelStore.getState().close();
  const { select, controls } = canvas.getState();
  select([nodeId]);
  controls?.reveal(nodeId);
}

/** Selects an edge, with the canvas in view. */
export function showEdge(canvas: CanvasStore, edgeId: string): void {
  if (isOnePane()) panelStore.getState().close();
  canvas.getState().select([], [edgeId]);
}
