import { commandMenu } from "../../state/commands/command-menu.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import type { Point } from "../../state/editor/canvas-store.ts";
import { PointMenu } from "../../ui/overlays/point-menu.tsx";

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
  const editor = useEditor();
  const isOne = place.on === "node" && Object.keys(editor.canvas.getState().selection.nodes).length === 1;
  const ids = lists[place.on].filter((id) => !isOne || !forSeveral.has(id));
  return <PointMenu at={place.at} items={commandMenu<never>(ids, editor)} onClose={onClose} />;
}
