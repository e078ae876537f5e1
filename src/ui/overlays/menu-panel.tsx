import { type KeyboardEvent, useRef } from "react";
import { classNames } from "../theme/class-names.ts";
import { FloatingPanel, type FloatingPanelProps } from "./floating-panel.tsx";
import { Icon, type IconName } from "../icons/icon.tsx";
import { shortcutText } from "../buttons/kbd.tsx";

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

const enabledItems = '[role^="menuitem"]:not([aria-disabled="true"])';

const firstItem = (panel: HTMLElement) => panel.querySelector<HTMLElement>(enabledItems);

/** Letters typed within this many milliseconds of each other are one search. */
const typingPause = 600;

/** The item to go to on a key, or undefined when the key means nothing here. */
function itemForKey(key: string, items: readonly HTMLElement[], typed: string): HTMLElement | undefined {
  const at = items.findIndex((item) => item === document.activeElement);
  switch (key) {
    case "ArrowDown":
      return items[(at + 1) % items.length];
    case "ArrowUp":
      return items[(at <= 0 ? items.length : at) - 1];
    case "Home":
      return items[0];
    case "End":
      return items.at(-1);
    default: {
      const rest = [...items.slice(typed.length > 1 ? at : at + 1), ...items];
      return typed === "" ? undefined : rest.find((item) => item.textContent?.toLowerCase().startsWith(typed));
    }
  }
}

/** The list of actions itself: arrows, Home, End and typing move, Enter and Space choose, Tab and Escape close. */
export function MenuPanel({
  items,
  onClose,
  ...place
}: { items: readonly MenuItem[] } & Pick<
  FloatingPanelProps,
  "trigger" | "at" | "side" | "align" | "gap" | "onClose" | "aria-label"
>) {
  const typed = useRef({ text: "", at: 0 });

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key === "Tab") {
      event.preventDefault();
      onClose();
      return;
    }
    const isLetter = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isLetter) {
      const goesOn = event.timeStamp - typed.current.at < typingPause;
      typed.current = { text: (goesOn ? typed.current.text : "") + event.key.toLowerCase(), at: event.timeStamp };
    }
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>(enabledItems)];
    const next = itemForKey(event.key, all, isLetter ? typed.current.text : "");
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  }

  return (
    <FloatingPanel
      role="menu"
      firstFocus={firstItem}
      onClose={onClose}
      onKeyDown={onKeyDown}
      className="max-w-80 p-1"
      {...place}
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
        return <Row key={item.label} item={item} onClose={onClose} />;
      })}
    </FloatingPanel>
  );
}

function Row({ item, onClose }: { item: MenuAction; onClose: () => void }) {
  const { checked, disabled = false, danger = false } = item;
  return (
    <button
      type="button"
      role={checked === undefined ? "menuitem" : "menuitemcheckbox"}
      aria-checked={checked}
      aria-disabled={disabled || undefined}
      tabIndex={-1}
      className={classNames(
        "flex min-h-7 w-full items-center gap-2 rounded-md px-2 py-1 text-left outline-none select-none aria-disabled:opacity-45",
        danger ? "text-danger focus:bg-danger-soft" : "focus:bg-hover",
      )}
      onPointerMove={(event) => {
        if (!disabled) event.currentTarget.focus({ preventScroll: true });
      }}
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
