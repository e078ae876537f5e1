import { BaseEdge, getBezierPath, type EdgeProps } from "@xyflow/react";
import { memo } from "react";
import type { Point } from "../../state/editor/canvas-store.ts";
import { useRunStore } from "../../state/editor/editor-context.tsx";
import { currentRun } from "../../state/run/run-store.ts";
import { arrowOnRoute, arrowPlace } from "./arrow-place.ts";
import type { CanvasEdge } from "./project-document.ts";
import { roundedPath } from "./route-around.ts";

type Ends = Pick<EdgeProps<CanvasEdge>, "sourceX" | "sourceY" | "targetX" | "targetY">;

const isNear = (a: number, b: number | undefined) => Math.abs(a - (b ?? Number.NaN)) < 1;

/** Whether a route begins and ends where the wire does. */
function isAlong(route: readonly Point[] | undefined, { sourceX, sourceY, targetX, targetY }: Ends): boolean {
  const [first, last] = [route?.at(0), route?.at(-1)];
  return isNear(sourceX, first?.x) && isNear(sourceY, first?.y) && isNear(targetX, last?.x) && isNear(targetY, last?.y);
}

/** An edge: coloured by kind, with a dash that flows while something travels over it, and an arrow that says which way. */
export const Wire = memo(function Wire(edge: EdgeProps<CanvasEdge>) {
  const { id, sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition, data, selected } = edge;
  const flow = useRunStore((state) => {
    const run = currentRun(state);
    return run?.activeEdges[id] ?? (run?.usedEdges[id] === true ? "used" : undefined);
  });
  // While an end is dragged, it is a plain curve.
  const route = isAlong(data?.route, edge) ? data?.route : undefined;
  const [curve] = getBezierPath({ sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition });
  const path = route === undefined ? curve : roundedPath(route);
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
          transform={route === undefined ? arrowPlace(curve, flow) : arrowOnRoute(route, flow)}
        />
      )}
    </>
  );
});
