import { labelNow, shownKey } from "../../stores/commands/command.ts";
import { commandById } from "../../stores/commands/editor-commands.ts";
import { useEditor } from "../../stores/editor-context.tsx";
import type { Point } from "../../stores/canvas-store.ts";
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
    "extend",
    "connect",
    "replace-node",
    "|",
    "copy",
    "cut",
    "duplicate",
    "|",
    "run.node",
    "run.from-here",
    "toggle-breakpoint",
    "|",
    "toggle-disabled",
    "toggle-bypass",
    "|",
    "group",
    "toggle-fold",
    "ungroup",
    "|",
    "align-left",
    "align-center",
    "align-top",
    "align-middle",
    "distribute-horizontally",
    "distribute-vertically",
    "auto-layout",
    "|",
    "delete",
  ],
  edge: ["insert-node", "delete"],
  pane: ["add-node", "paste", "|", "select-all", "zoom-fit", "outline", "auto-layout"],
};

/** Only of use for several nodes, so one node's menu leaves it out. */
const forSeveral = new Set(["auto-layout", "zoom-selection"]);

/** The commands that make sense at a place of the canvas. */
export function CanvasMenu({ place, onClose }: { place: MenuPlace; onClose: () => void }) {
  const { canvas, commands, context } = useEditor();
  const items: MenuItem[] = [];
  const isOne = place.on === "node" && Object.keys(canvas.getState().selection.nodes).length === 1;
  for (const id of lists[place.on]) {
    const last = items.at(-1);
    if (id === "|") {
      if (last !== undefined && last !== "separator") items.push("separator");
      continue;
    }
    const command = commandById(commands, id);
    if (command === undefined || !command.when(context) || (isOne && forSeveral.has(id))) continue;
    items.push({
      label: labelNow(command, context),
      icon: command.icon,
      shortcut: shownKey(command),
      danger: id === "delete",
      onSelect: () => void command.run(context),
    });
  }
  if (items.at(-1) === "separator") items.pop();
  return <PointMenu at={place.at} items={items} onClose={onClose} />;
}
