import { type ReactElement, useState } from "react";
import { lazyPart } from "../feedback/lazy-part.tsx";
import type { MenuItem } from "./menu-panel.tsx";
import type { Align, Side } from "./place-floating.ts";
import { type TriggerProps, withTriggerProps } from "../buttons/trigger.ts";
import { useOpen } from "./use-open.ts";

export type { MenuAction, MenuItem } from "./menu-panel.tsx";

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

/** Loaded with the first menu that is opened. */
export const MenuPanel = lazyPart(async () => (await import("./menu-panel.tsx")).MenuPanel);

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
        <MenuPanel items={items} trigger={anchor} side={side} align={align} gap={4} onClose={() => change(false)} />
      )}
    </>
  );
}
