import { isResizable } from "../editing/node-box.ts";
import type { Box } from "../editing/node-box.ts";
import { grid } from "../editing/node-geometry.ts";
import type { CommandContext } from "./command.ts";

const onGrid = (length: number) => Math.round(length / grid) * grid;

/** Gives a note or an open group another place and size, as one undo step; other nodes have none of their own. */
export function resizeNode(context: CommandContext, nodeId: string, box: Box): void {
  context.document.getState().edit("Resize", (document) => {
    const node = document.nodes[nodeId];
    if (node === undefined || !isResizable(node)) return;
    node.position = { x: onGrid(box.x), y: onGrid(box.y) };
    node.config["width"] = onGrid(box.width);
    node.config["height"] = onGrid(box.height);
  });
}
