import type { ComponentType, SVGProps } from "react";
import { icons, type IconName } from "./icons.ts";

export type { IconName } from "./icons.ts";

const lookup: Readonly<Record<string, ComponentType<SVGProps<SVGSVGElement>> | undefined>> = icons;

/** An icon by its lucide name, such as a node type carries it; a name that this build lacks shows a plain box. */
export function Icon({ name, size = 16, label }: { name: IconName | (string & {}); size?: number; label?: string }) {
  const Shape = lookup[name] ?? icons.box;
  const spoken = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return <Shape width={size} height={size} strokeWidth={1.75} className="shrink-0" {...spoken} />;
}

/** Whether this build has the icon. */
export function hasIcon(name: string): name is IconName {
  return Object.hasOwn(icons, name);
}
