import { type PointerEvent, useRef } from "react";
import { resizeNode } from "../../state/commands/resize-node.ts";
import { type Box, nodeBox } from "../../state/editing/node-box.ts";
import { grid } from "../../state/editing/node-geometry.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";

const smallest = { width: 120, height: 64 };
const onGrid = (length: number) => Math.round(length / grid) * grid;

/** The corner by which a note or a frame is pulled to another size; the document changes when it is let go. */
export function ResizeCorner({ id }: { id: string }) {
  const { canvas, context, document, registry } = useEditor();
  const pulled = useRef<{ from: Box; to: Box } | null>(null);

  function start(event: PointerEvent<HTMLDivElement>) {
    const node = document.getState().document.nodes[id];
    if (node === undefined || event.button !== 0) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = nodeBox(registry, node);
    pulled.current = { from, to: from };
  }

  function move(event: PointerEvent<HTMLDivElement>) {
    const at = canvas.getState().controls?.toDocument({ x: event.clientX, y: event.clientY });
    if (pulled.current === null || at === undefined) return;
    const { from } = pulled.current;
    const width = Math.max(smallest.width, onGrid(at.x - from.x));
    const height = Math.max(smallest.height, onGrid(at.y - from.y));
    pulled.current = { from, to: { ...from, width, height } };
    canvas.setState({ drag: { [id]: pulled.current.to } });
  }

  function end() {
    const { current } = pulled;
    pulled.current = null;
    canvas.setState({ drag: null });
    if (current !== null && current.to !== current.from) resizeNode(context, id, current.to);
  }

  return (
    <div
      className="resize-corner nodrag nopan"
      title="Drag to resize"
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
    />
  );
}
