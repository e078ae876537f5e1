import { commandById } from "../../stores/commands/editor-commands.ts";
import { useEditor } from "../../stores/editor-context.tsx";
import type { Point } from "../../stores/canvas-store.ts";
import { hasIcon } from "../../ui/icon.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import { PointMenu } from "../../ui/point-menu.tsx";

/** Where the right mouse button or the menu key was used. */
export interface MenuPlace {
  at: Point;
  on: "node" | "edge" | "pane";
}

const lists: Record<MenuPlace["on"], readonly string[]> = {
  node: [
    "rename",
    "connect",
    "|",
    "copy",
    "cut",
    "duplicate",
    "toggle-disabled",
    "|",
    "align-left",
    "align-top",
    "|",
    "delete",
  ],
  edge: ["delete"],
  pane: ["add-node", "paste", "|", "select-all", "zoom-fit", "auto-layout"],
};

/** The commands that make sense at a place of the canvas. */
export function CanvasMenu({ place, onClose }: { place: MenuPlace; onClose: () => void }) {
  const { commands, context } = useEditor();
  const items: MenuItem[] = [];
  for (const id of lists[place.on]) {
    const last = items.at(-1);
    if (id === "|") {
      if (last !== undefined && last !== "separator") items.push("separator");
      continue;
    }
    const command = commandById(commands, id);
    if (command === undefined || !command.when(context)) continue;
    items.push({
      label: command.label,
      icon: hasIcon(command.icon) ? command.icon : undefined,
      shortcut: command.keys?.[0],
      danger: id === "delete",
      onSelect: () => void command.run(context),
    });
  }
  return <PointMenu at={place.at} items={items} onClose={onClose} />;
}
