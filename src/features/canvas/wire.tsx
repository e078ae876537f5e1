import { BaseEdge, getBezierPath, type EdgeProps } from "@xyflow/react";
import { memo } from "react";
import { useRunStore } from "../../stores/editor-context.tsx";
import { currentRun } from "../../stores/run-store.ts";
import { arrowPlace } from "./arrow-place.ts";
import type { CanvasEdge } from "./project-document.ts";

/** An edge: coloured by kind, with a dash that flows while something travels over it, and an arrow that says which way. */
export const Wire = memo(function Wire(edge: EdgeProps<CanvasEdge>) {
  const { id, sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition, data, selected } = edge;
  const flow = useRunStore((state) => {
    const run = currentRun(state);
    return run?.activeEdges[id] ?? (run?.usedEdges[id] === true ? "used" : undefined);
  });
  const [path] = getBezierPath({ sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition });
  return (
    <>
      <BaseEdge
        path={path}
        interactionWidth={18}
        className="wire"
        data-kind={data?.kind ?? "main"}
        data-flow={flow}
        data-selected={selected || undefined}
      />
      {(flow === "forward" || flow === "backward") && (
        <path
          className="wire-arrow"
          data-kind={data?.kind ?? "main"}
          d="M-5 -5.5 L6 0 L-5 5.5 Z"
          transform={arrowPlace(path, flow)}
        />
      )}
    </>
  );
});
