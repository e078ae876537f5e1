import { Command } from "cmdk";
import type { ReactNode } from "react";
import { createPortal } from "react-dom";
import type { Point } from "../../state/editor/canvas-store.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { matchWords } from "../../ui/text/match-words.ts";
import { useReturnFocus } from "../../ui/overlays/return-focus.ts";

export interface PickerEntry {
  id: string;
  icon: string;
  title: string;
  detail: string;
  /** Other names of it, which find it as well. */
  called?: readonly string[] | undefined;
}

const size = { width: 300, height: 320 };

/** A searchable list at a point of the browser window; arrows, Enter and Escape work, a click elsewhere closes it. */
export function PickerList({
  at,
  label,
  entries,
  empty,
  onPick,
  onClose,
}: {
  at: Point;
  label: string;
  entries: readonly PickerEntry[];
  empty: ReactNode;
  onPick: (id: string) => void;
  onClose: () => void;
}) {
  useReturnFocus();
  const left = Math.max(8, Math.min(at.x, window.innerWidth - size.width - 8));
  const top = Math.max(8, Math.min(at.y, window.innerHeight - size.height - 8));
  // Above the panels beside the canvas, which draws in a layer of its own.
  return createPortal(
    <>
      <div className="fixed inset-0 z-40" onPointerDown={onClose} aria-hidden />
      <Command
        label={label}
        filter={(_id, search, [title = "", detail = "", id = "", ...called] = []) =>
          matchWords(search, title, [detail, id], called)
        }
        className="fixed z-50 flex animate-rise flex-col overflow-hidden rounded-lg border bg-raised shadow-float"
        style={{ left, top, width: size.width, maxHeight: size.height }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Escape") onClose();
        }}
      >
        <div className="flex items-center gap-2 border-b px-3 text-muted">
          <Icon name="search" size={14} />
          <Command.Input
            autoFocus
            placeholder={label}
            className="h-9 flex-1 bg-transparent text-sm text-ink outline-none placeholder:text-faint"
          />
        </div>
        <Command.List className="min-h-0 flex-1 overflow-y-auto p-1">
          <Command.Empty className="px-3 py-4 text-center text-muted">{empty}</Command.Empty>
          {entries.map((entry) => (
            <Command.Item
              key={entry.id}
              value={entry.id}
              keywords={[entry.title, entry.detail, entry.id, ...(entry.called ?? [])]}
              onSelect={() => onPick(entry.id)}
              className="flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-sm data-[selected=true]:bg-hover"
            >
              <span className="text-muted">
                <Icon name={entry.icon} />
              </span>
              <span className="min-w-0 flex-1">
                <span className="block truncate">{entry.title}</span>
                <span className="block truncate text-xs text-muted">{entry.detail}</span>
              </span>
            </Command.Item>
          ))}
        </Command.List>
      </Command>
    </>,
    document.querySelector("main") ?? document.body,
  );
}
