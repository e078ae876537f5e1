import { useStore } from "@xyflow/react";
import { commandMenu } from "../../state/commands/command-menu.ts";
import { shownKey } from "../../state/commands/command.ts";
import { commandById } from "../../state/commands/editor-commands.ts";
import { boxAround, nodeBox } from "../../state/editing/node-box.ts";
import { useCanvasStore, useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import type { IconName } from "../../ui/icons/icon.tsx";
import { Menu } from "../../ui/overlays/menu.tsx";

/** Pixels: the bar's own size, and what it keeps from the selection and from the canvas' edges. */
const size = { width: 172, height: 36 };
const gap = 14;
const margin = 8;

const alignments = [
  "align-left",
  "align-center",
  "align-right",
  "|",
  "align-top",
  "align-middle",
  "align-bottom",
  "|",
  "distribute-horizontally",
  "distribute-vertically",
  "|",
  "auto-layout",
];

/** Above the selected nodes, or below where there is no room; null while they are out of view. */
function usePlace(): { left: number; top: number } | null {
  const { registry } = useEditor();
  const selection = useCanvasStore((state) => state.selection.nodes);
  const nodes = useDocumentStore((state) => state.document.nodes);
  const transform = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const box = boxAround(Object.keys(selection).flatMap((id) => (nodes[id] ? [nodeBox(registry, nodes[id])] : [])));
  if (box === undefined) return null;
  const [x, y, zoom] = transform;
  const upper = box.y * zoom + y;
  const lower = upper + box.height * zoom;
  const middle = (box.x + box.width / 2) * zoom + x;
  const isOut =
    lower < 0 || upper > height || middle + (box.width / 2) * zoom < 0 || middle - (box.width / 2) * zoom > width;
  if (isOut) return null;
  const above = upper - gap - size.height;
  const top = above >= margin ? above : Math.min(lower + gap, height - size.height - margin);
  const left = Math.max(margin, Math.min(middle - size.width / 2, width - size.width - margin));
  return { left, top: Math.max(margin, top) };
}

/** What several selected nodes are for, beside them: run, align, group, duplicate, delete. */
export function SelectionBar() {
  const editor = useEditor();
  const { commands, context } = editor;
  const place = usePlace();
  const isDragged = useCanvasStore((state) => state.drag !== null);
  const isDrawn = useStore((state) => state.userSelectionActive);
  if (place === null || isDragged || isDrawn) return null;
  const button = (id: string, icon: IconName) => {
    const command = commandById(commands, id);
    if (command === undefined) return null;
    return (
      <IconButton
        size="sm"
        icon={icon}
        label={command.label}
        shortcut={shownKey(command)}
        tooltipSide="top"
        disabled={!command.when(context)}
        onClick={() => void command.run(context)}
      />
    );
  };
  return (
    <div
      role="toolbar"
      aria-label="Selected nodes"
      className="absolute z-10 flex items-center gap-0.5 rounded-lg border bg-raised p-0.5 shadow-float"
      style={place}
    >
      {button("run.selection", "play")}
      <Menu
        trigger={<IconButton size="sm" icon="align-start-vertical" label="Align" tooltipSide="top" />}
        items={commandMenu<never>(alignments, editor)}
      />
      {button("group", "group")}
      {button("duplicate", "copy")}
      {button("delete", "trash-2")}
    </div>
  );
}
