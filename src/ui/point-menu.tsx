import * as Radix from "radix-ui/dropdown-menu";
import { menuPanelClass, menuRowClass, type MenuItem } from "./menu.tsx";
import { Icon } from "./icon.tsx";
import { shortcutText } from "./kbd.tsx";

export interface PointMenuProps {
  /** Client coordinates, or null while closed. */
  at: { x: number; y: number } | null;
  items: readonly MenuItem[];
  onClose: () => void;
}

/** The same list of actions at a point of the window, for the right mouse button and the menu key. */
export function PointMenu({ at, items, onClose }: PointMenuProps) {
  return (
    <Radix.Root open={at !== null} onOpenChange={(open) => (open ? undefined : onClose())} modal={false}>
      <Radix.Trigger asChild>
        <span aria-hidden className="pointer-events-none fixed size-0" style={{ left: at?.x ?? 0, top: at?.y ?? 0 }} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content align="start" side="bottom" collisionPadding={8} className={menuPanelClass}>
          {items.map((item, index) => {
            if (item === "separator")
              return <Radix.Separator key={`line-${index}`} className="-mx-1 my-1 h-px bg-line" />;
            if ("heading" in item) {
              return (
                <Radix.Label key={item.heading} className="px-2 pt-1.5 pb-0.5 text-xs text-faint">
                  {item.heading}
                </Radix.Label>
              );
            }
            return (
              <Radix.Item
                key={item.label}
                className={menuRowClass(item.danger)}
                disabled={item.disabled}
                onSelect={item.onSelect}
              >
                {item.icon !== undefined && <Icon name={item.icon} />}
                <span className="flex-1 truncate">{item.label}</span>
                {item.shortcut !== undefined && (
                  <span className="pl-4 text-xs text-faint">{shortcutText(item.shortcut)}</span>
                )}
              </Radix.Item>
            );
          })}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
