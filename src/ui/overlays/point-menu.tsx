import { useClientPoint } from "@floating-ui/react";
import { type MenuItem, MenuList } from "./menu-list.tsx";
import { useFloat } from "./use-float.ts";
import { useMenuKeys } from "./use-menu-keys.ts";
import { useOpen } from "./use-open.ts";

interface PointMenuProps {
  /** Client coordinates. */
  at: { x: number; y: number };
  items: readonly MenuItem[];
  onClose: () => void;
}

/** The same list of actions at a point of the window, for the right mouse button and the menu key. */
export function PointMenu({ at, items, onClose }: PointMenuProps) {
  const [open, change] = useOpen(true, onClose);
  const float = useFloat({ open, onOpenChange: change, side: "bottom", align: "start", gap: 2 });
  useClientPoint(float.context, at);
  return <MenuList items={items} float={float} keys={useMenuKeys(float)} onClose={onClose} />;
}
