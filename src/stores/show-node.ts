import type { CanvasStore } from "./canvas-store.ts";
import { panelStore } from "./panel-store.ts";

/** Where only one pane fits: the canvas has to take the place of the run panel to be seen. */
const onePane = "(max-width: 639px)";

/** Selects a node and brings it into view. */
export function showNode(canvas: CanvasStore, nodeId: string): void {
  if (typeof matchMedia === "function" && matchMedia(onePane).matches) panelStore.getState().close();
  const { select, controls } = canvas.getState();
  select([nodeId]);
  controls?.reveal(nodeId);
}
