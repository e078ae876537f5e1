import { MenuPanel, type MenuItem } from "./menu-panel.tsx";

interface PointMenuProps {
  /** Client coordinates, or null while closed. */
  at: { x: number; y: number } | null;
  items: readonly MenuItem[];
  onClose: () => void;
}

/** The same list of actions at a point of the window, for the right mouse button and the menu key. */
export function PointMenu({ at, items, onClose }: PointMenuProps) {
  if (at === null) return null;
  return (
    <MenuPanel
      key={`${at.x} ${at.y}`}
      items={items}
      trigger={null}
      at={at}
      side="bottom"
      align="start"
      gap={2}
      onClose={onClose}
    />
  );
}
