import { shownAmong } from "../editing/group-members.ts";
import type { Command } from "./command.ts";
import { hasSelection } from "./delete-selection.ts";

export const selectionCommands: readonly Command[] = [
  {
    id: "select-all",
    label: "Select all",
    group: "Edit",
    icon: "scan",
    keys: ["mod+a"],
    when: ({ document }) => Object.keys(document.getState().document.nodes).length > 0,
    run: ({ document, canvas }) => {
      const { nodes, edges } = document.getState().document;
      canvas.getState().select(shownAmong(nodes, Object.keys(nodes)), Object.keys(edges));
    },
  },
  {
    id: "select-none",
    label: "Clear selection",
    group: "Edit",
    icon: "x",
    keys: ["escape"],
    when: hasSelection,
    run: ({ canvas }) => canvas.getState().clearSelection(),
  },
];
