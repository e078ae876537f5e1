import type { Point } from "../canvas-store.ts";
import { grid } from "../editing/node-geometry.ts";
import { snap } from "../editing/place-node.ts";
import type { CommandContext } from "./command.ts";

/** Puts nodes where a drag or a layout left them, as one undo step. */
export function moveNodes(
  context: CommandContext,
  positions: Readonly<Record<string, Point>>,
  label = Object.keys(positions).length === 1 ? "Move node" : "Move nodes",
): void {
  const store = context.document.getState();
  store.mark();
  store.commit(label, (document) => {
    for (const [id, position] of Object.entries(positions)) {
      const node = document.nodes[id];
      if (node === undefined) continue;
      const next = snap(position);
      if (node.position.x !== next.x || node.position.y !== next.y) node.position = next;
    }
  });
  store.mark();
}

/** Moves the selected nodes by a number of grid steps; presses of an arrow key in a row are one undo step. */
export function nudgeSelection(context: CommandContext, steps: Point): void {
  const ids = Object.keys(context.canvas.getState().selection.nodes);
  context.document.getState().commit(ids.length === 1 ? "Move node" : "Move nodes", (document) => {
    for (const id of ids) {
      const node = document.nodes[id];
      if (node === undefined) continue;
      node.position = { x: node.position.x + steps.x * grid, y: node.position.y + steps.y * grid };
    }
  });
}
