import type { ComponentType, SVGProps } from "react";
import { icons } from "./icons.ts";

export type IconName = keyof typeof icons;

const shapes: Readonly<Record<string, ComponentType<SVGProps<SVGSVGElement>> | undefined>> = icons;

interface IconProps {
  name: IconName | (string & {});
  size?: number;
  label?: string;
}

/** An icon by its lucide name, such as a node type carries it; a name that this build lacks shows a plain box. */
export function Icon({ name, size = 16, label }: IconProps) {
  const Shape = shapes[name] ?? icons.box;
  const spoken: SVGProps<SVGSVGElement> =
    label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return <Shape width={size} height={size} strokeWidth={1.75} className="shrink-0" {...spoken} />;
}
