import type { CanvasStore } from "./canvas-store.ts";

/** Selects a node and brings it into view. */
export function showNode(canvas: CanvasStore, nodeId: string): void {
  const { select, controls } = canvas.getState();
  select([nodeId]);
  controls?.reveal(nodeId);
}
