import { ViewportPortal } from "@xyflow/react";
import { useCanvasStore } from "../../stores/editor-context.tsx";

/** The lines along which what is dragged lies level with something else. */
export function GuideLines() {
  const guides = useCanvasStore((state) => state.guides);
  if (guides === null) return null;
  const { x, y } = guides;
  return (
    <ViewportPortal>
      {x && <div className="guide" style={{ left: x.at, top: x.from - 16, width: 0, height: x.to - x.from + 32 }} />}
      {y && <div className="guide" style={{ left: y.from - 16, top: y.at, width: y.to - y.from + 32, height: 0 }} />}
    </ViewportPortal>
  );
}
