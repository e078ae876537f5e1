import { hasSelectedNodes } from "./delete-selection.ts";
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
      set({ paletteOpen: !paletteOpen, outlineOpen: false });
    },
  },
  {
    id: "outline",
    label: "Outline",
    labelNow: ({ canvas }) => (canvas.getState().outlineOpen ? "Close the outline" : "Outline"),
    group: "View",
    icon: "list-tree",
    keys: ["o"],
    when: () => true,
    run: ({ canvas }) => {
      const { outlineOpen, set } = canvas.getState();
      set({ outlineOpen: !outlineOpen, paletteOpen: false });
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
    id: "zoom-selection",
    label: "Zoom to the selection",
    group: "View",
    icon: "scan",
    keys: ["shift+2"],
    when: hasSelectedNodes,
    run: ({ canvas }) => canvas.getState().controls?.fit(Object.keys(canvas.getState().selection.nodes)),
  },
  {
    id: "zoom-one",
    label: "Zoom to 100 %",
    group: "View",
    icon: "search",
    keys: ["shift+0"],
    when: () => true,
    run: ({ canvas }) => canvas.getState().controls?.zoomToOne(),
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
