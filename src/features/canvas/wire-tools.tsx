import { useStore, ViewportPortal } from "@xyflow/react";
import { useMemo, useState } from "react";
import type { Point } from "../../state/editor/canvas-store.ts";
import { deleteEdge } from "../../state/commands/delete-selection.ts";
import { useCanvasStore, useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { hoverEdge } from "./hover-edge.ts";
import { choicesOf } from "./picker-choices.ts";

interface Middle extends Point {
  /** The wire goes up or down there rather than across. */
  isSteep: boolean;
}

/** The middle of a wire as it is drawn, in canvas pixels. */
function middleOf(edgeId: string): Middle | null {
  const path = document.querySelector(`.react-flow__edge[data-id="${CSS.escape(edgeId)}"] .wire`);
  if (!(path instanceof SVGPathElement)) return null;
  const half = path.getTotalLength() / 2;
  const [before, { x, y }, after] = [half - 1, half, half + 1].map((length) => path.getPointAtLength(length)) as [
    DOMPoint,
    DOMPoint,
    DOMPoint,
  ];
  return { x, y, isSteep: Math.abs(after.y - before.y) > Math.abs(after.x - before.x) };
}

/** Beside the wire, so that a click on its middle is not one on a button that has just appeared there. */
const beside = ({ isSteep }: Middle): string =>
  isSteep ? "translate(12px, -50%)" : "translate(-50%, calc(-100% - 12px))";

function Tools({ edgeId }: { edgeId: string }) {
  const editor = useEditor();
  const { canvas, context } = editor;
  const zoom = useStore((state) => state.transform[2]);
  const graph = useDocumentStore((state) => state.document);
  // Nothing moves while the pointer is on a wire, so that its middle stays where it was found.
  const [middle] = useState(() => middleOf(edgeId));
  const canInsert = useMemo(
    () => graph.edges[edgeId] !== undefined && choicesOf(editor, { kind: "insert", edgeId }).length > 0,
    [editor, edgeId, graph],
  );
  if (middle === null || graph.edges[edgeId] === undefined) return null;
  return (
    <ViewportPortal>
      <div
        className="wire-tools nodrag nopan"
        style={{ transform: `translate(${middle.x}px, ${middle.y}px) scale(${1 / zoom}) ${beside(middle)}` }}
        onPointerEnter={() => hoverEdge(canvas, edgeId)}
        onPointerLeave={() => hoverEdge(canvas, null)}
      >
        {canInsert && (
          <IconButton
            size="sm"
            icon="plus"
            label="Insert a node here"
            tabIndex={-1}
            onClick={({ clientX: x, clientY: y }) => {
              canvas.setState({ hoveredEdge: null, picker: { kind: "insert", edgeId, at: { x, y } } });
            }}
          />
        )}
        <IconButton
          size="sm"
          icon="trash-2"
          label="Delete this connection"
          tabIndex={-1}
          onClick={() => {
            canvas.setState({ hoveredEdge: null });
            deleteEdge(context, edgeId);
          }}
        />
      </div>
    </ViewportPortal>
  );
}

/** Buttons in the middle of the wire under the pointer; none where there would be no room for them. */
export function WireTools() {
  const edgeId = useCanvasStore((state) => state.hoveredEdge);
  const isQuiet = useCanvasStore((state) => state.drag === null && state.picker === null && state.zoomLevel !== "far");
  const isConnecting = useStore((state) => state.connection.inProgress);
  return edgeId === null || !isQuiet || isConnecting ? null : <Tools key={edgeId} edgeId={edgeId} />;
}
