import { type MenuItem, MenuList } from "./menu-list.tsx";

interface PointMenuProps {
  /** Client coordinates. */
  at: { x: number; y: number };
  items: readonly MenuItem[];
  onClose: () => void;
}

/** The same list of actions at a point of the window, for the right mouse button and the menu key. */
export function PointMenu(props: PointMenuProps) {
  return <MenuList {...props} trigger={null} side="bottom" align="start" gap={2} />;
}
