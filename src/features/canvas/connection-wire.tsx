import { getBezierPath, type ConnectionLineComponentProps } from "@xyflow/react";
import type { CanvasNode } from "./project-document.ts";

/** The wire under the pointer; dashed and red over a port that it may not join. */
export function ConnectionWire({
  fromX,
  fromY,
  toX,
  toY,
  fromPosition,
  toPosition,
  connectionStatus,
}: ConnectionLineComponentProps<CanvasNode>) {
  const [path] = getBezierPath({
    sourceX: fromX,
    sourceY: fromY,
    sourcePosition: fromPosition,
    targetX: toX,
    targetY: toY,
    targetPosition: toPosition,
  });
  return <path d={path} fill="none" className="loose-wire" data-status={connectionStatus ?? undefined} />;
}
