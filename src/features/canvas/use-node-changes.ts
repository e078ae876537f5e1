import type { EdgeChange, NodeChange } from "@xyflow/react";
import { useMemo } from "react";
import type { Point } from "../../stores/canvas-store.ts";
import { moveNodes } from "../../stores/commands/move-nodes.ts";
import { useEditor, type Editor } from "../../stores/editor-context.tsx";
import type { CanvasEdge, CanvasNode } from "./project-document.ts";

type Ids = Readonly<Record<string, true>>;

/** The ids that are selected after React Flow's changes, or null when none of them is about the selection. */
function selectedAfter(
  before: Ids,
  changes: readonly (NodeChange<CanvasNode> | EdgeChange<CanvasEdge>)[],
): string[] | null {
  const ids = new Set(Object.keys(before));
  let touched = false;
  for (const change of changes) {
    if (change.type !== "select") continue;
    touched = true;
    if (change.selected) ids.add(change.id);
    else ids.delete(change.id);
  }
  return touched ? [...ids] : null;
}

function positionsIn(changes: readonly NodeChange<CanvasNode>[]): Record<string, Point> {
  const positions: Record<string, Point> = {};
  for (const change of changes) {
    if (change.type === "position" && change.position !== undefined) positions[change.id] = change.position;
  }
  return positions;
}

function handlers({ canvas, context }: Editor) {
  return {
    onNodesChange(changes: NodeChange<CanvasNode>[]) {
      const { selection, drag, select } = canvas.getState();
      const selected = selectedAfter(selection.nodes, changes);
      if (selected !== null) select(selected, Object.keys(selection.edges));
      const positions = positionsIn(changes);
      if (Object.keys(positions).length === 0) return;
      const dragging = changes.some((change) => change.type === "position" && change.dragging === true);
      if (dragging || drag !== null) canvas.setState({ drag: { ...drag, ...positions } });
      else moveNodes(context, positions);
    },
    onEdgesChange(changes: EdgeChange<CanvasEdge>[]) {
      const { selection, select } = canvas.getState();
      const selected = selectedAfter(selection.edges, changes);
      if (selected !== null) select(Object.keys(selection.nodes), selected);
    },
    onDragStart() {
      canvas.setState({ drag: {} });
    },
    /** The document changes once, when the gesture ends. */
    onDragStop() {
      const { drag } = canvas.getState();
      canvas.setState({ drag: null });
      if (drag !== null && Object.keys(drag).length > 0) moveNodes(context, drag);
    },
  };
}

/** Brings React Flow's selection and drag into the stores. */
export function useNodeChanges() {
  const editor = useEditor();
  return useMemo(() => handlers(editor), [editor]);
}
