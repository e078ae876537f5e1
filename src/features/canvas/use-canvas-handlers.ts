import type { DragEvent, MouseEvent } from "react";
import { useMemo, useState } from "react";
import { addNode } from "../../stores/commands/add-node.ts";
import { nodeDragType } from "../../stores/editing/node-drag.ts";
import { cardWidth } from "../../stores/editing/node-geometry.ts";
import { useEditor, type Editor } from "../../stores/editor-context.tsx";
import type { MenuPlace } from "./canvas-menu.tsx";

type AnyMouse = MouseEvent | globalThis.MouseEvent;

function handlers(editor: Editor, openMenu: (place: MenuPlace) => void) {
  const open = (event: AnyMouse, on: MenuPlace["on"]) => {
    event.preventDefault();
    openMenu({ at: { x: event.clientX, y: event.clientY }, on });
  };
  return {
    onNodeContextMenu(event: AnyMouse, node: { id: string }) {
      const { selection, select } = editor.canvas.getState();
      if (!selection.nodes[node.id]) select([node.id]);
      open(event, "node");
    },
    onEdgeContextMenu(event: AnyMouse, edge: { id: string }) {
      editor.canvas.getState().select([], [edge.id]);
      open(event, "edge");
    },
    onPaneContextMenu: (event: AnyMouse) => open(event, "pane"),
    onSelectionContextMenu: (event: AnyMouse) => open(event, "node"),
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes(nodeDragType)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
    },
    /** A node type from the palette lands with its header under the pointer. */
    onDrop(event: DragEvent) {
      const type = event.dataTransfer.getData(nodeDragType);
      const point = editor.canvas.getState().controls?.toDocument({ x: event.clientX, y: event.clientY });
      if (type === "" || point === undefined) return;
      event.preventDefault();
      addNode(editor.context, { type, position: { x: point.x - cardWidth / 2, y: point.y - 28 } });
    },
  };
}

/** Right clicks and drops. The functions stay the same, or React Flow would draw every node again. */
export function useCanvasHandlers() {
  const editor = useEditor();
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const stable = useMemo(() => handlers(editor, setMenu), [editor]);
  const closeMenu = useMemo(() => () => setMenu(null), []);
  return { handlers: stable, menu, closeMenu };
}
