import { singleSelectedNode } from "../editor/canvas-store.ts";
import { groupMembers, isFolded, isGroup } from "../editing/group-members.ts";
import type { Command, CommandContext } from "./command.ts";
import { hasSelectedNodes } from "./delete-selection.ts";
import { groupSelection, ungroup } from "./group-nodes.ts";

/** Shows a group as one card, or as its frame with all that is in it. */
export function toggleFold(context: CommandContext, groupId: string): void {
  const store = context.document.getState();
  const group = store.document.nodes[groupId];
  if (group === undefined || !isGroup(group)) return;
  const folds = !isFolded(group);
  const members = folds ? groupMembers(store.document.nodes, context.registry, group) : [];
  store.edit(folds ? "Fold group" : "Unfold group", (document) => {
    const node = document.nodes[groupId];
    if (node !== undefined) node.config = { ...node.config, folded: folds, members };
  });
  context.canvas.getState().select([groupId]);
}

function selectedGroup(context: CommandContext): string | undefined {
  const id = singleSelectedNode(context.canvas.getState());
  return id !== null && isGroup(context.document.getState().document.nodes[id]) ? id : undefined;
}

const onGroup = (act: (context: CommandContext, groupId: string) => void) => (context: CommandContext) => {
  const id = selectedGroup(context);
  if (id !== undefined) act(context, id);
};

export const groupCommands: readonly Command[] = [
  {
    id: "group",
    label: "Group",
    group: "Edit",
    icon: "group",
    keys: ["mod+g"],
    when: hasSelectedNodes,
    run: (context) => void groupSelection(context),
  },
  {
    id: "toggle-fold",
    label: "Fold or unfold the group",
    labelNow: (context) => {
      const group = context.document.getState().document.nodes[selectedGroup(context) ?? ""];
      return group !== undefined && isFolded(group) ? "Unfold the group" : "Fold the group";
    },
    group: "Edit",
    icon: "layers",
    keys: ["f"],
    when: (context) => selectedGroup(context) !== undefined,
    run: onGroup(toggleFold),
  },
  {
    id: "ungroup",
    label: "Ungroup",
    group: "Edit",
    icon: "scan",
    keys: ["mod+shift+g"],
    when: (context) => selectedGroup(context) !== undefined,
    run: onGroup(ungroup),
  },
];
