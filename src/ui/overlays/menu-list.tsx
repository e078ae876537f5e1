import { useClientPoint } from "@floating-ui/react";
import type { KeyboardEvent } from "react";
import { shortcutText } from "../buttons/kbd.tsx";
import { Icon, type IconName } from "../icons/icon.tsx";
import { classNames } from "../theme/class-names.ts";
import { FloatingPanel } from "./floating-panel.tsx";
import { type FloatPlace, useFloat } from "./use-float.ts";
import { type MenuKeys, useMenuKeys } from "./use-menu-keys.ts";
import { useOpen } from "./use-open.ts";

export interface MenuAction {
  label: string;
  icon?: IconName | (string & {});
  /** Written `mod+d`; shown only. */
  shortcut?: string;
  danger?: boolean;
  disabled?: boolean;
  /** For choices: a check stands before the chosen one. */
  checked?: boolean;
  onSelect: () => void;
}

/** An action, a line between groups, or a heading over the next ones. */
export type MenuItem = MenuAction | "separator" | { heading: string };

const firstItem = (panel: HTMLElement) =>
  panel.querySelector<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])');

interface MenuListProps extends FloatPlace {
  items: readonly MenuItem[];
  /** The element that opened it, for place and focus; null for a list at a point. */
  trigger: HTMLElement | null;
  /** Where it stands when there is no trigger. */
  at?: { x: number; y: number };
  onClose: () => void;
}

/** The list of actions itself. */
export function MenuList({ items, trigger, at, onClose, ...place }: MenuListProps) {
  const [open, change] = useOpen(true, onClose);
  const float = useFloat({ open, onOpenChange: change, elements: { reference: trigger }, ...place });
  useClientPoint(float.context, { enabled: trigger === null, x: at?.x, y: at?.y });
  const keys = useMenuKeys(float);
  return (
    <FloatingPanel
      role="menu"
      float={float}
      firstFocus={firstItem}
      {...keys.getFloatingProps({
        onKeyDown(event: KeyboardEvent) {
          if (event.key !== "Tab") return;
          event.preventDefault();
          onClose();
        },
      })}
      className="max-w-80 p-1"
    >
      {items.map((item, index) => {
        if (item === "separator") return <hr key={`line-${index}`} className="-mx-1 my-1 border-t" />;
        if ("heading" in item) {
          return (
            <div key={item.heading} className="px-2 pt-1.5 pb-0.5 text-xs text-faint">
              {item.heading}
            </div>
          );
        }
        return <Row key={item.label} item={item} index={index} keys={keys} onClose={onClose} />;
      })}
    </FloatingPanel>
  );
}

function Row({ item, index, keys, onClose }: { item: MenuAction; index: number; keys: MenuKeys; onClose: () => void }) {
  const { checked, disabled = false, danger = false } = item;
  return (
    <button
      type="button"
      role={checked === undefined ? "menuitem" : "menuitemcheckbox"}
      aria-checked={checked}
      aria-disabled={disabled || undefined}
      tabIndex={-1}
      ref={(element) => keys.place(index, disabled || element === null ? null : { element, label: item.label })}
      className={classNames(
        "flex min-h-7 w-full items-center gap-2 rounded-md px-2 py-1 text-left outline-none select-none aria-disabled:opacity-45",
        danger ? "text-danger focus:bg-danger-soft" : "focus:bg-hover",
      )}
      {...(disabled ? {} : keys.getItemProps())}
      onClick={(event) => {
        // The press must not reach what the menu stands in, such as a canvas or a row.
        event.stopPropagation();
        if (disabled) return;
        onClose();
        item.onSelect();
      }}
    >
      {checked !== undefined && <span className="w-4">{checked && <Icon name="check" />}</span>}
      {item.icon !== undefined && <Icon name={item.icon} />}
      <span className="flex-1 truncate">{item.label}</span>
      {item.shortcut !== undefined && (
        <span className="pl-4 text-xs text-faint pointer-coarse:hidden">{shortcutText(item.shortcut)}</span>
      )}
    </button>
  );
}
