import { useMergeRefs } from "@floating-ui/react";
import { cloneElement, type ReactElement } from "react";
import { type MenuItem, MenuList } from "./menu-list.tsx";
import type { TriggerProps } from "../buttons/trigger.ts";
import { type Align, type Side, useFloat } from "./use-float.ts";
import { useMenuKeys } from "./use-menu-keys.ts";
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
  const float = useFloat({ open: shown, onOpenChange: change, side, align, gap: 4 });
  const keys = useMenuKeys(float);
  const ref = useMergeRefs([float.refs.setReference, trigger.props.ref]);

  return (
    <>
      {cloneElement(trigger, { ...keys.getReferenceProps(trigger.props), ref })}
      {shown && <MenuList items={items} float={float} keys={keys} onClose={() => change(false)} />}
    </>
  );
}
