import type { CanvasStore } from "./canvas-store.ts";
import { isOnePane } from "./one-pane.ts";
import { panelStore } from "./panel-store.ts";

/** The address of a workflow with one of its nodes selected and in view. */
export const nodePath = (workflowId: string, nodeId: string) => `/w/${workflowId}?node=${encodeURIComponent(nodeId)}`;

/** Selects a node and brings it into view. */
export function showNode(canvas: CanvasStore, nodeId: string): void {
  if (isOnePane()) panelStore.getState().close();
  const { select, controls } = canvas.getState();
  select([nodeId]);
  controls?.reveal(nodeId);
}

/** Leads to what a problem is about: the node with its settings open at the field, or the edge. */
export function showProblem(
  canvas: CanvasStore,
  { nodeId, edgeId, field }: { nodeId?: string | undefined; edgeId?: string | undefined; field?: string | undefined },
): void {
  if (nodeId !== undefined) {
    showNode(canvas, nodeId);
    canvas.setState({ inspectorTab: "settings", focusField: { nodeId, field: field ?? "" } });
  } else if (edgeId !== undefined) showEdge(canvas, edgeId);
}

/** Selects an edge, with the canvas in view. */
function showEdge(canvas: CanvasStore, edgeId: string): void {
  if (isOnePane()) panelStore.getState().close();
  canvas.getState().select([], [edgeId]);
}
