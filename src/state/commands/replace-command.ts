import { singleSelectedNode } from "../editor/canvas-store.ts";
import { isGroup } from "../editing/group-members.ts";
import type { Command } from "./command.ts";

export const replaceCommand: Command = {
  id: "replace-node",
  label: "Replace with…",
  group: "Node",
  icon: "replace",
  keys: ["r"],
  when: ({ canvas, document }) => {
    const id = singleSelectedNode(canvas.getState());
    return id !== null && !isGroup(document.getState().document.nodes[id]);
  },
  run: ({ canvas }) => {
    const nodeId = singleSelectedNode(canvas.getState());
    if (nodeId !== null) canvas.getState().set({ picker: { kind: "replace", nodeId } });
  },
};
