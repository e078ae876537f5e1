import { type ComponentType, type SVGProps, useEffect, useSyncExternalStore } from "react";
import { icons } from "./icons.ts";
import type { moreIcons } from "./more-icons.ts";

export type IconName = keyof typeof icons | keyof typeof moreIcons;

type Shapes = Readonly<Record<string, ComponentType<SVGProps<SVGSVGElement>> | undefined>>;

const atOnce: Shapes = icons;
let later: Shapes | undefined;
let loading: Promise<void> | undefined;
const listeners = new Set<() => void>();

/**
 * Loads the icons that menus, dialogs and further pages show besides; these wait for it, so that no icon appears after
 * its words. Never rejects: a page without some icons is better than none, and the next one that is shown tries again.
 */
export function loadMoreIcons(): Promise<void> {
  loading ??= import("./more-icons.ts").then(
    ({ moreIcons }) => {
      later = moreIcons;
      for (const listener of listeners) listener();
    },
    () => {
      loading = undefined;
    },
  );
  return loading;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const loaded = () => later;

interface IconProps {
  name: IconName | (string & {});
  size?: number;
  label?: string;
}

function lookOf({ size = 16, label }: IconProps): SVGProps<SVGSVGElement> {
  const spoken: SVGProps<SVGSVGElement> =
    label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return { width: size, height: size, strokeWidth: 1.75, className: "shrink-0", ...spoken };
}

/** An icon by its lucide name, such as a node type carries it; a name that this build lacks shows a plain box. */
export function Icon(props: IconProps) {
  const Shape = atOnce[props.name];
  return Shape === undefined ? <LaterIcon {...props} /> : <Shape {...lookOf(props)} />;
}

/** Keeps the icon's place until its shape is there. */
function LaterIcon(props: IconProps) {
  const shapes = useSyncExternalStore(subscribe, loaded, loaded);
  useEffect(() => void loadMoreIcons(), []);
  if (shapes === undefined) return <svg {...lookOf(props)} />;
  const Shape = shapes[props.name] ?? icons.box;
  return <Shape {...lookOf(props)} />;
}
