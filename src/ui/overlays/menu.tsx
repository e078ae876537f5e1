import { type ReactElement, useState } from "react";
import { type TriggerProps, withTriggerProps } from "../buttons/trigger.ts";
import { type MenuItem, MenuList } from "./menu-list.tsx";
import type { Align, Side } from "./use-float.ts";
import { useOpen } from "./use-open.ts";

export type { MenuAction, MenuItem } from "./menu-list.tsx";

interface MenuProps {
  /** The button that opens it; takes a ref and props. */
  trigger: ReactElement<TriggerProps>;
  items: readonly MenuItem[];
  side?: Side;
  align?: Align;
  /** Leave both out to let the menu keep its own state. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** A list of actions under a button. */
export function Menu({ trigger, items, side = "bottom", align = "end", open, onOpenChange }: MenuProps) {
  const [shown, change] = useOpen(open, onOpenChange);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);

  return (
    <>
      {withTriggerProps(
        trigger,
        {
          "aria-haspopup": "menu",
          "aria-expanded": shown,
          onClick: () => change(!shown),
          onKeyDown: (event) => {
            if (event.key !== "ArrowDown" || shown) return;
            event.preventDefault();
            change(true);
          },
        },
        setAnchor,
      )}
      {shown && anchor !== null && (
        <MenuList items={items} trigger={anchor} side={side} align={align} gap={4} onClose={() => change(false)} />
      )}
    </>
  );
}
