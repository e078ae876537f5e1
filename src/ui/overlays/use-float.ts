import { autoUpdate, flip, offset, shift, size, useFloating, type UseFloatingOptions } from "@floating-ui/react";

export type Side = "top" | "right" | "bottom" | "left";
export type Align = "start" | "center" | "end";
export type Float = ReturnType<typeof useFloat>;

/** The least distance from the window's edge, and the least height of a float, in pixels. */
const margin = 8;
const minHeight = 80;

export interface FloatPlace {
  side: Side;
  align: Align;
  gap: number;
}

interface FloatOptions extends FloatPlace, Pick<UseFloatingOptions<HTMLElement>, "open" | "onOpenChange" | "elements"> {
  /** As wide as its trigger. */
  fits?: boolean;
}

/**
 * Places a float beside its trigger: on the preferred side, or on the opposite one where there is more room, never out of the
 * window and no higher than the room there is.
 */
export function useFloat({ side, align, gap, fits = false, ...options }: FloatOptions) {
  return useFloating<HTMLElement>({
    ...options,
    placement: align === "center" ? side : `${side}-${align}`,
    strategy: "fixed",
    transform: false,
    whileElementsMounted: autoUpdate,
    middleware: [
      offset(gap),
      flip({ padding: margin, crossAxis: false }),
      shift({ padding: margin }),
      size({
        padding: margin,
        apply({ availableHeight, elements, rects }) {
          if (fits) elements.floating.style.width = `${rects.reference.width}px`;
          elements.floating.style.maxHeight = `${Math.floor(Math.max(availableHeight, minHeight))}px`;
        },
      }),
    ],
  });
}

/** Shows an element with `popover="manual"` above everything; for its ref. */
export function showOnTop(node: HTMLElement | null): void {
  if (node !== null && !node.matches(":popover-open")) node.showPopover();
}

/**
 * The element under which a float of this trigger belongs: an open dialog makes everything outside of it inert, and
 * screen readers look for content inside landmarks.
 */
export function floatHome(trigger: Element | null): Element {
  return trigger?.closest("dialog, main, nav") ?? document.body;
}
