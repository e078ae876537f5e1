import { definitionOf } from "../../engine/document/can-connect.ts";
import type { Point } from "../canvas-store.ts";
import { nodeGeometry } from "../editing/node-geometry.ts";
import type { Command, CommandContext } from "./command.ts";
import { moveNodes } from "./move-nodes.ts";

interface Box extends Point {
  id: string;
  width: number;
  height: number;
}

function selectedBoxes({ document, canvas, registry }: CommandContext): Box[] {
  return Object.keys(canvas.getState().selection.nodes).flatMap((id) => {
    const node = document.getState().document.nodes[id];
    if (node === undefined) return [];
    const { width, height } = nodeGeometry(definitionOf(registry, node.type));
    return [{ id, ...node.position, width, height }];
  });
}

function align(context: CommandContext, place: (box: Box, all: Box[]) => Point): void {
  const boxes = selectedBoxes(context);
  moveNodes(context, Object.fromEntries(boxes.map((box) => [box.id, place(box, boxes)])), "Align");
}

const several = (context: CommandContext) => Object.keys(context.canvas.getState().selection.nodes).length > 1;

/** Lays the whole workflow out: the main flow from left to right, services around their agent. */
export async function autoLayout(context: CommandContext): Promise<void> {
  const { layoutDocument } = await import("../editing/layout-document.ts");
  moveNodes(context, layoutDocument(context.document.getState().document, context.registry), "Tidy up");
  context.canvas.getState().controls?.fit();
}

export const arrangeCommands: readonly Command[] = [
  {
    id: "auto-layout",
    label: "Tidy up",
    group: "View",
    icon: "sparkles",
    keys: ["shift+t"],
    when: ({ document }) => Object.keys(document.getState().document.nodes).length > 1,
    run: autoLayout,
  },
  {
    id: "align-left",
    label: "Align left",
    group: "Edit",
    icon: "arrow-left",
    when: several,
    run: (context) => align(context, (box, all) => ({ x: Math.min(...all.map(({ x }) => x)), y: box.y })),
  },
  {
    id: "align-top",
    label: "Align top",
    group: "Edit",
    icon: "arrow-up",
    when: several,
    run: (context) => align(context, (box, all) => ({ x: box.x, y: Math.min(...all.map(({ y }) => y)) })),
  },
  {
    id: "distribute-horizontally",
    label: "Distribute horizontally",
    group: "Edit",
    icon: "arrow-right",
    when: (context) => Object.keys(context.canvas.getState().selection.nodes).length > 2,
    run: (context) =>
      align(context, (box, all) => {
        const row = all.toSorted((a, b) => a.x - b.x);
        const [first, last] = [row[0], row.at(-1)];
        if (first === undefined || last === undefined) return box;
        const step = (last.x - first.x) / (row.length - 1);
        return { x: first.x + step * row.indexOf(box), y: box.y };
      }),
  },
];
