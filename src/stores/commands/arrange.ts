import type { Point } from "../canvas-store.ts";
import { isGroup } from "../editing/group-members.ts";
import type { Layout } from "../editing/layout-workflow.ts";
import { type Box, nodeBox } from "../editing/node-box.ts";
import type { Command, CommandContext } from "./command.ts";
import { moveNodes } from "./move-nodes.ts";

interface NodeBox extends Box {
  id: string;
}

function selectedBoxes({ document, canvas, registry }: CommandContext): NodeBox[] {
  return Object.keys(canvas.getState().selection.nodes).flatMap((id) => {
    const node = document.getState().document.nodes[id];
    return node === undefined ? [] : [{ id, ...nodeBox(registry, node) }];
  });
}

const selectedCount = ({ canvas }: CommandContext) => Object.keys(canvas.getState().selection.nodes).length;
const several = (context: CommandContext) => selectedCount(context) > 1;

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
const across: Axis = { start: "x", length: "width" };
const down: Axis = { start: "y", length: "height" };

function align(context: CommandContext, label: string, axis: Axis, share: 0 | 0.5 | 1): void {
  const boxes = selectedBoxes(context);
  const line = lineOf(boxes, share, axis);
  const positions = boxes.map(({ id, ...box }): [string, Point] => [
    id,
    { x: box.x, y: box.y, [axis.start]: line - box[axis.length] * share },
  ]);
  moveNodes(context, Object.fromEntries(positions), label);
}

/** Gives the gaps between neighbours the same width; the outermost stay where they are. */
function distribute(context: CommandContext, label: string, axis: Axis): void {
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

/** Milliseconds after which a person is told what takes so long. */
const patience = 400;

/**
 * The layout of the graph as it is in the end: what is changed while it is worked out begins it again. Gives up on the
 * newest changes of someone who does not stop.
 */
async function currentLayout(context: CommandContext, only: readonly string[] | undefined): Promise<Layout> {
  const { layoutWorkflow } = await import("../editing/layout-workflow.ts");
  for (let attempt = 0; ; attempt += 1) {
    const { document } = context.document.getState();
    const layout = await layoutWorkflow(document, context.registry, only);
    const now = context.document.getState().document;
    if ((now.nodes === document.nodes && now.edges === document.edges) || attempt === 3) return layout;
  }
}

/** Lays the selected nodes out, or the whole workflow: the main flow from left to right, services around their agent. */
export async function autoLayout(context: CommandContext): Promise<void> {
  const { nodes } = context.document.getState().document;
  const selected = Object.keys(context.canvas.getState().selection.nodes).filter((id) => !isGroup(nodes[id]));
  const only = selected.length > 1 ? selected : undefined;
  const count = (only ?? Object.keys(nodes)).length;
  const timer = setTimeout(() => {
    context.notify({ tone: "info", message: `Tidying up ${count} nodes`, hint: "You can go on meanwhile." });
  }, patience);
  const { positions, sizes } = await currentLayout(context, only).finally(() => clearTimeout(timer));
  const store = context.document.getState();
  store.mark();
  store.commit("Tidy up", (draft) => {
    for (const [id, position] of Object.entries(positions)) {
      const node = draft.nodes[id];
      if (node !== undefined && (node.position.x !== position.x || node.position.y !== position.y)) {
        node.position = position;
      }
    }
    for (const [id, size] of Object.entries(sizes)) Object.assign(draft.nodes[id]?.config ?? {}, size);
  });
  store.mark();
  context.canvas.getState().controls?.fit(only);
}

interface AlignCommand {
  id: string;
  label: string;
  icon: string;
  keys: readonly string[];
  axis: Axis;
  share: 0 | 0.5 | 1;
}

const alignments: readonly AlignCommand[] = [
  { id: "align-left", label: "Align left", icon: "arrow-left", keys: ["alt+a"], axis: across, share: 0 },
  { id: "align-center", label: "Align centres", icon: "minus", keys: ["alt+h"], axis: across, share: 0.5 },
  { id: "align-right", label: "Align right", icon: "arrow-right", keys: ["alt+d"], axis: across, share: 1 },
  { id: "align-top", label: "Align top", icon: "arrow-up", keys: ["alt+w"], axis: down, share: 0 },
  { id: "align-middle", label: "Align middles", icon: "minus", keys: ["alt+v"], axis: down, share: 0.5 },
  { id: "align-bottom", label: "Align bottom", icon: "arrow-down", keys: ["alt+s"], axis: down, share: 1 },
];

const distributions = [
  { id: "distribute-horizontally", label: "Distribute horizontally", keys: ["alt+shift+h"], axis: across },
  { id: "distribute-vertically", label: "Distribute vertically", keys: ["alt+shift+v"], axis: down },
] as const;

export const arrangeCommands: readonly Command[] = [
  {
    id: "auto-layout",
    label: "Tidy up",
    group: "Arrange",
    icon: "sparkles",
    keys: ["shift+t"],
    when: ({ document }) => Object.keys(document.getState().document.nodes).length > 1,
    run: autoLayout,
  },
  ...alignments.map(({ axis, share, ...command }): Command => ({
    ...command,
    group: "Arrange",
    when: several,
    run: (context) => align(context, command.label, axis, share),
  })),
  ...distributions.map(({ axis, ...command }): Command => ({
    ...command,
    group: "Arrange",
    icon: "ellipsis",
    when: (context) => selectedCount(context) > 2,
    run: (context) => distribute(context, command.label, axis),
  })),
];
