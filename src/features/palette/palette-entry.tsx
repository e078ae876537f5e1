import type { AnyNodeDefinition } from "../../engine/document/define-node.ts";
import { namedDragType, nodeDragType } from "../../stores/editing/node-drag.ts";
import { classNames } from "../../ui/theme/class-names.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { roleTint } from "./role-tint.ts";

/** One node type: a click adds it where it fits, a drag puts it where it is dropped. */
export function PaletteEntry({ definition, onAdd }: { definition: AnyNodeDefinition; onAdd: () => void }) {
  return (
    <button
      type="button"
      draggable
      onDragStart={(event) => {
        event.dataTransfer.setData(nodeDragType, definition.type);
        event.dataTransfer.setData(namedDragType(definition.type), "");
        event.dataTransfer.effectAllowed = "copy";
      }}
      onClick={onAdd}
      title={definition.summary}
      data-node-type={definition.type}
      className="group flex w-full cursor-grab items-center gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover active:cursor-grabbing"
    >
      <span
        className={classNames(
          "inline-flex size-7 shrink-0 items-center justify-center rounded-md",
          roleTint[definition.role],
        )}
      >
        <Icon name={definition.icon} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">{definition.title}</span>
        <span className="block truncate text-xs text-muted">{definition.summary}</span>
      </span>
      <span className="text-faint opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100">
        <Icon name="plus" />
      </span>
    </button>
  );
}
