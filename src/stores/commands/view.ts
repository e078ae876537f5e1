import type { Command } from "./command.ts";

export const viewCommands: readonly Command[] = [
  {
    id: "add-node",
    label: "Add a node",
    group: "Node",
    icon: "plus",
    keys: ["n"],
    when: () => true,
    run: ({ canvas }) => {
      const { paletteOpen, set } = canvas.getState();
      set({ paletteOpen: !paletteOpen });
    },
  },
  {
    id: "command-menu",
    label: "Search actions and nodes",
    group: "View",
    icon: "search",
    keys: ["mod+k"],
    when: () => true,
    run: ({ canvas }) => canvas.getState().set({ commandMenuOpen: !canvas.getState().commandMenuOpen }),
  },
  {
    id: "zoom-fit",
    label: "Zoom to fit",
    group: "View",
    icon: "maximize",
    keys: ["shift+1"],
    when: ({ document }) => Object.keys(document.getState().document.nodes).length > 0,
    run: ({ canvas }) => canvas.getState().controls?.fit(),
  },
  {
    id: "zoom-in",
    label: "Zoom in",
    group: "View",
    icon: "zoom-in",
    keys: ["+", "="],
    when: () => true,
    run: ({ canvas }) => canvas.getState().controls?.zoomIn(),
  },
  {
    id: "zoom-out",
    label: "Zoom out",
    group: "View",
    icon: "zoom-out",
    keys: ["-"],
    when: () => true,
    run: ({ canvas }) => canvas.getState().controls?.zoomOut(),
  },
  {
    id: "shortcuts",
    label: "Keyboard shortcuts",
    group: "View",
    icon: "keyboard",
    keys: ["?"],
    when: () => true,
    run: ({ canvas }) => canvas.getState().set({ shortcutsOpen: true }),
  },
];
