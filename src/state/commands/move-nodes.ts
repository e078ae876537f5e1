import type { Point } from "../editor/canvas-store.ts";
import { groupMembers, isGroup, withMembers } from "../editing/group-members.ts";
import { grid } from "../editing/node-geometry.ts";
import { snap } from "../editing/place-node.ts";
import type { CommandContext } from "./command.ts";

/** What belongs to the groups among these moves with them, unless it has a place of its own. */
export function withGroupMembers(
  { document, registry }: CommandContext,
  positions: Readonly<Record<string, Point>>,
): Record<string, Point> {
  const { nodes } = document.getState().document;
  const all: Record<string, Point> = { ...positions };
  for (const [id, to] of Object.entries(positions)) {
    const group = nodes[id];
    if (group === undefined || !isGroup(group)) continue;
    for (const memberId of groupMembers(nodes, registry, group)) {
      const member = nodes[memberId];
      if (member === undefined || all[memberId] !== undefined) continue;
      const by = { x: to.x - group.position.x, y: to.y - group.position.y };
      all[memberId] = { x: member.position.x + by.x, y: member.position.y + by.y };
    }
  }
  return all;
}

/** Puts nodes where a drag or a layout left them, as one undo step. */
export function moveNodes(
  context: CommandContext,
  positions: Readonly<Record<string, Point>>,
  label = Object.keys(positions).length === 1 ? "Move node" : "Move nodes",
): void {
  const store = context.document.getState();
  const all = withGroupMembers(context, positions);
  store.edit(label, (document) => {
    for (const [id, position] of Object.entries(all)) {
      const node = document.nodes[id];
      if (node === undefined) continue;
      const next = snap(position);
      if (node.position.x !== next.x || node.position.y !== next.y) node.position = next;
    }
  });
}

/** Moves the selected nodes by a number of grid steps; presses of an arrow key in a row are one undo step. */
export function nudgeSelection(context: CommandContext, steps: Point): void {
  const ids = Object.keys(context.canvas.getState().selection.nodes);
  const { nodes } = context.document.getState().document;
  const all = withMembers(nodes, context.registry, ids);
  context.document.getState().commit(ids.length === 1 ? "Move node" : "Move nodes", (document) => {
    for (const id of all) {
      const node = document.nodes[id];
      if (node === undefined) continue;
      node.position = { x: node.position.x + steps.x * grid, y: node.position.y + steps.y * grid };
    }
  });
}
