import type { Command } from "./command.ts";

export const historyCommands: readonly Command[] = [
  {
    id: "undo",
    label: "Undo",
    group: "Edit",
    icon: "undo-2",
    keys: ["mod+z"],
    when: ({ document }) => document.getState().past.length > 0,
    run: ({ document }) => void document.getState().undo(),
  },
  {
    id: "redo",
    label: "Redo",
    group: "Edit",
    icon: "redo-2",
    keys: ["mod+shift+z", "mod+y"],
    when: ({ document }) => document.getState().future.length > 0,
    run: ({ document }) => void document.getState().redo(),
  },
];
