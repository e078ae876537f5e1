import { definitionOf } from "../../engine/document/can-connect.ts";
import { newNode } from "../../engine/document/new-document.ts";
import { groupMembers, isGroup } from "../editing/group-members.ts";
import { boxAround, nodeBox } from "../editing/node-box.ts";
import { grid } from "../editing/node-geometry.ts";
import { snap } from "../editing/place-node.ts";
import { uniqueTitle } from "../editing/unique-title.ts";
import type { CommandContext } from "./command.ts";

/** Canvas pixels between a frame and what is in it; more above, where the title stands. */
const padding = { side: 24, top: 56 };

/** Puts a frame around the selected nodes and selects it. Returns its id. */
export function groupSelection(context: CommandContext): string | undefined {
  const definition = definitionOf(context.registry, "group");
  const store = context.document.getState();
  const { nodes } = store.document;
  const boxes = Object.keys(context.canvas.getState().selection.nodes).flatMap((id) => {
    const node = nodes[id];
    return node === undefined ? [] : [nodeBox(context.registry, node)];
  });
  const around = boxAround(boxes);
  if (definition === undefined || around === undefined) return undefined;
  const corner = snap({ x: around.x - padding.side, y: around.y - padding.top });
  const far = { x: around.x + around.width + padding.side, y: around.y + around.height + padding.side };
  const frame = newNode(definition, {
    id: context.newId(),
    position: corner,
    title: uniqueTitle(store.document, definition.title),
    config: {
      width: Math.ceil((far.x - corner.x) / grid) * grid,
      height: Math.ceil((far.y - corner.y) / grid) * grid,
    },
  });
  store.edit("Group", (document) => {
    document.nodes[frame.id] = frame;
  });
  context.canvas.getState().select([frame.id]);
  return frame.id;
}

/** Takes the frame away and selects what was in it. */
export function ungroup(context: CommandContext, groupId: string): void {
  const store = context.document.getState();
  const group = store.document.nodes[groupId];
  if (group === undefined || !isGroup(group)) return;
  const members = groupMembers(store.document.nodes, context.registry, group);
  store.edit("Ungroup", (document) => {
    delete document.nodes[groupId];
  });
  context.canvas.getState().select(members);
}
