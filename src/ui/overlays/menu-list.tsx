import type { KeyboardEvent } from "react";
import { shortcutText } from "../buttons/kbd.tsx";
import { Icon, type IconName } from "../icons/icon.tsx";
import { classNames } from "../theme/class-names.ts";
import { FloatingPanel } from "./floating-panel.tsx";
import type { Float } from "./use-float.ts";
import type { MenuKeys } from "./use-menu-keys.ts";

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

interface MenuListProps {
  items: readonly MenuItem[];
  float: Float;
  keys: MenuKeys;
  onClose: () => void;
}

/** The list of actions itself. */
export function MenuList({ items, float, keys, onClose }: MenuListProps) {
  return (
    <FloatingPanel
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

function Row({
  item,
  index,
  keys,
  onClose,
}: { item: MenuAction; index: number } & Pick<MenuListProps, "keys" | "onClose">) {
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
