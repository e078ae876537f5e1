import { ViewportPortal } from "@xyflow/react";
import { useMemo } from "react";
import { useCanvasStore, useEditor } from "../../state/editor/editor-context.tsx";
import { farCorners } from "./far-corners.ts";

/** The lines along which what is dragged lies level with something else. */
export function GuideLines() {
  const { canvas } = useEditor();
  const dragging = useCanvasStore((state) => state.drag !== null);
  const guides = useCanvasStore((state) => state.guides);
  const corners = useMemo(() => {
    const view = dragging ? canvas.getState().controls?.view() : undefined;
    return view && farCorners(view);
  }, [canvas, dragging]);
  if (!dragging) return null;
  const { x, y } = guides ?? {};
  return (
    <ViewportPortal>
      <svg className="guides">
        <path d={corners} fill="transparent" />
        {x && <path className="guide" d={`M${x.at} ${x.from - 16}V${x.to + 16}`} />}
        {y && <path className="guide" d={`M${y.from - 16} ${y.at}H${y.to + 16}`} />}
      </svg>
    </ViewportPortal>
  );
}
