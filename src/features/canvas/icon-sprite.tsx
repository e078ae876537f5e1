import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { Icon } from "../../ui/icons/icon.tsx";

export function spriteId(icon: string): string {
  return `node-icon-${icon}`;
}

/** The icons of all node types, drawn once; a card refers to its own with one `use` element. */
export function IconSprite({ registry }: { registry: NodeRegistry }) {
  const icons = new Set(Object.values(registry).map(({ icon }) => icon));
  const all = [
    ...icons,
    "circle-question-mark",
    "check",
    "triangle-alert",
    "hand",
    "minus",
    "clock",
    "pause",
    "pin",
    "square",
    "flag",
  ];
  return (
    <svg aria-hidden className="absolute size-0 overflow-hidden">
      {[...new Set(all)].map((icon) => (
        <symbol key={icon} id={spriteId(icon)} viewBox="0 0 24 24">
          <Icon name={icon} size={24} />
        </symbol>
      ))}
    </svg>
  );
}
