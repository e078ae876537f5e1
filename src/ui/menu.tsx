import * as Radix from "radix-ui/dropdown-menu";
import type { ReactElement } from "react";
import { classNames } from "./class-names.ts";
import { Icon, type IconName } from "./icon.tsx";
import { shortcutText } from "./kbd.tsx";

export interface MenuAction {
  label: string;
  icon?: IconName;
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

export const menuPanelClass =
  "z-50 min-w-44 max-w-80 animate-rise overflow-y-auto rounded-lg border bg-raised p-1 shadow-float outline-none";

/** The looks of one row of a menu, also for lists that act like one. */
export function menuRowClass(danger = false): string {
  return classNames(
    "flex min-h-7 w-full items-center gap-2 rounded-md px-2 py-1 text-left text-sm outline-none select-none",
    "data-disabled:opacity-45",
    danger ? "text-danger data-highlighted:bg-danger-soft" : "data-highlighted:bg-hover",
  );
}

function Row({ item }: { item: MenuItem }) {
  if (item === "separator") return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
  if ("heading" in item) {
    return <Radix.Label className="px-2 pt-1.5 pb-0.5 text-xs text-faint">{item.heading}</Radix.Label>;
  }
  return (
    <Radix.Item className={menuRowClass(item.danger)} disabled={item.disabled} onSelect={item.onSelect}>
      {item.checked !== undefined && (
        <span className="w-4">{item.checked && <Icon name="check" label="chosen" />}</span>
      )}
      {item.icon !== undefined && <Icon name={item.icon} />}
      <span className="flex-1 truncate">{item.label}</span>
      {item.shortcut !== undefined && <span className="pl-4 text-xs text-faint">{shortcutText(item.shortcut)}</span>}
    </Radix.Item>
  );
}

export interface MenuProps {
  /** The button that opens it; takes a ref and props. */
  trigger: ReactElement;
  items: readonly MenuItem[];
  side?: "top" | "right" | "bottom" | "left";
  align?: "start" | "center" | "end";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Called before focus returns to the trigger; `preventDefault` keeps it elsewhere (rename in place). */
  onCloseAutoFocus?: (event: Event) => void;
}

/** A list of actions under a button: arrows, typing and Escape work. */
export function Menu({
  trigger,
  items,
  side = "bottom",
  align = "end",
  open,
  onOpenChange,
  onCloseAutoFocus,
}: MenuProps) {
  return (
    <Radix.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={menuPanelClass}
          onCloseAutoFocus={onCloseAutoFocus}
        >
          {items.map((item, index) => (
            <Row
              key={typeof item === "string" ? `line-${index}` : "heading" in item ? item.heading : item.label}
              item={item}
            />
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
