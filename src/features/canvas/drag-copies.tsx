import { ViewportPortal } from "@xyflow/react";
import type { Point } from "../../state/editor/canvas-store.ts";
import type { CommandContext } from "../../state/commands/command.ts";
import { shownAmong } from "../../state/editing/group-members.ts";
import { insertPart } from "../../state/editing/insert-part.ts";
import { selectedPart } from "../../state/editing/node-clip.ts";
import { nodeSize } from "../../state/editing/node-box.ts";
import { useCanvasStore, useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";

/** Puts copies of the dragged nodes, with the wires among them, where they were let go; one undo step. */
export function dropCopies(context: CommandContext, places: Readonly<Record<string, Point>>): void {
  const store = context.document.getState();
  const ids = Object.fromEntries(Object.keys(places).map((id) => [id, true as const]));
  const part = selectedPart(store.document, context.registry, { nodes: ids, edges: {} });
  const copied = Object.values(part.nodes).map((node) => ({ ...node, position: places[node.id] ?? node.position }));
  if (copied.length === 0) return;
  const nodes = Object.fromEntries(copied.map((node) => [node.id, node]));
  let made: string[] = [];
  store.edit("Duplicate", (document) => {
    made = [...insertPart(document, { ...part, nodes }, { offset: 0 }, context.newId).values()];
  });
  context.canvas.getState().select(shownAmong(context.document.getState().document.nodes, made));
}

/** Where the copies of what is dragged would go. */
export function DragCopies() {
  const { registry } = useEditor();
  const drag = useCanvasStore((state) => state.drag);
  const nodes = useDocumentStore((state) => state.document.nodes);
  return (
    <ViewportPortal>
      {Object.entries(drag ?? {}).map(([id, { x, y }]) => {
        const node = nodes[id];
        return node === undefined ? null : (
          <div key={id} className="drag-copy" style={{ left: x, top: y, ...nodeSize(registry, node) }}>
            {node.title}
          </div>
        );
      })}
    </ViewportPortal>
  );
}
