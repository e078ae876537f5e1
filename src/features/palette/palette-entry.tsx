import type { AnyNodeDefinition } from "../../engine/document/define-node.ts";
import { namedDragType, nodeDragType } from "../../state/editing/node-drag.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { PaletteLine } from "./palette-line.tsx";

/** One node type: a click adds it where it fits, a drag puts it where it is dropped. */
export function PaletteEntry({ definition, onAdd }: { definition: AnyNodeDefinition; onAdd: () => void }) {
  const { type, icon, role, title, summary } = definition;
  return (
    <button
      type="button"
      draggable
      onDragStart={(event) => {
        event.dataTransfer.setData(nodeDragType, type);
        event.dataTransfer.setData(namedDragType(type), "");
        event.dataTransfer.effectAllowed = "copy";
      }}
      onClick={onAdd}
      data-node-type={type}
      className="group flex w-full cursor-grab items-start gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover active:cursor-grabbing"
    >
      <PaletteLine icon={icon} role={role} title={title} summary={summary}>
        <span className="text-faint opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100">
          <Icon name="plus" size={14} />
        </span>
      </PaletteLine>
    </button>
  );
}
