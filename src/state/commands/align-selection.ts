import type { Point } from "../editor/canvas-store.ts";
import { type Box, nodeBox } from "../editing/node-box.ts";
import type { CommandContext } from "./command.ts";
import { moveNodes } from "./move-nodes.ts";

export type Direction = "across" | "down";

interface NodeBox extends Box {
  id: string;
}

function selectedBoxes({ document, canvas, registry }: CommandContext): NodeBox[] {
  return Object.keys(canvas.getState().selection.nodes).flatMap((id) => {
    const node = document.getState().document.nodes[id];
    return node === undefined ? [] : [{ id, ...nodeBox(registry, node) }];
  });
}

/** Where an edge or a middle line of all boxes together lies: 0 is left or top, 1 right or bottom. */
function lineOf(boxes: readonly NodeBox[], share: 0 | 0.5 | 1, axis: Axis): number {
  const start = Math.min(...boxes.map((box) => box[axis.start]));
  const end = Math.max(...boxes.map((box) => box[axis.start] + box[axis.length]));
  return start + (end - start) * share;
}

interface Axis {
  start: "x" | "y";
  length: "width" | "height";
}
const axes: Record<Direction, Axis> = {
  across: { start: "x", length: "width" },
  down: { start: "y", length: "height" },
};

/** Moves the selected nodes to one line: `share` 0 is that of their left or top edges, 1 right or bottom, 0.5 the middle. */
export function alignSelection(context: CommandContext, label: string, direction: Direction, share: 0 | 0.5 | 1): void {
  const axis = axes[direction];
  const boxes = selectedBoxes(context);
  const line = lineOf(boxes, share, axis);
  const positions = boxes.map(({ id, ...box }): [string, Point] => [
    id,
    { x: box.x, y: box.y, [axis.start]: line - box[axis.length] * share },
  ]);
  moveNodes(context, Object.fromEntries(positions), label);
}

/** Gives the gaps between neighbours the same width; the outermost stay where they are. */
export function distributeSelection(context: CommandContext, label: string, direction: Direction): void {
  const axis = axes[direction];
  const row = selectedBoxes(context).toSorted((a, b) => a[axis.start] - b[axis.start]);
  const [first, last] = [row[0], row.at(-1)];
  if (first === undefined || last === undefined) return;
  const filled = row.reduce((sum, box) => sum + box[axis.length], 0);
  const gap = (last[axis.start] + last[axis.length] - first[axis.start] - filled) / (row.length - 1);
  let at = first[axis.start];
  const positions: Record<string, Point> = {};
  for (const box of row) {
    positions[box.id] = { x: box.x, y: box.y, [axis.start]: at };
    at += box[axis.length] + gap;
  }
  moveNodes(context, positions, label);
}
