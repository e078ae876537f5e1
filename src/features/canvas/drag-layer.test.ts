import { getBezierPath, Position } from "@xyflow/react";
import { describe, expect, it } from "vitest";
import { endsOf } from "./drag-layer.ts";

describe("the ends of a wire", () => {
  it.each([
    [0, 0, 100, 50],
    [-12.5, 7.25, -400, -3],
    [1e-7, 0, 12, 1e-9],
  ])("are read from its path (%d, %d to %d, %d)", (sourceX, sourceY, targetX, targetY) => {
    const sides = { sourcePosition: Position.Right, targetPosition: Position.Left };
    const [path] = getBezierPath({ sourceX, sourceY, targetX, targetY, ...sides });
    expect(endsOf(path)).toEqual({ from: { x: sourceX, y: sourceY }, to: { x: targetX, y: targetY } });
  });

  it("are not there in what is no path", () => {
    expect(endsOf("")).toBeNull();
  });
});
