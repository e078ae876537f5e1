import { type ComponentProps, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { classNames } from "../theme/class-names.ts";
import { openFloat } from "./float-stack.ts";
import type { Align, Box, Side } from "./place-floating.ts";
import { returnFocus } from "./return-focus.ts";
import { floatHome, showFloating } from "./show-floating.ts";

export interface FloatingPanelProps extends Omit<ComponentProps<"div">, "ref" | "popover"> {
  /** The element that opened it, for place and focus; null for a panel at a point. */
  trigger: HTMLElement | null;
  /** Where it stands when there is no trigger. */
  at?: { x: number; y: number };
  side: Side;
  align: Align;
  gap: number;
  onClose: () => void;
  /** What takes the focus when it opens; the panel itself when this gives nothing. */
  firstFocus: (panel: HTMLElement) => HTMLElement | null;
}

/**
 * A panel above everything, in the browser's top layer, beside its trigger. Closes on a press elsewhere and on Escape; the
 * focus goes in when it opens and back to where it was when it closes.
 */
export function FloatingPanel({
  trigger,
  at,
  side,
  align,
  gap,
  onClose,
  firstFocus,
  className,
  ...rest
}: FloatingPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  const { x = 0, y = 0 } = at ?? {};

  useLayoutEffect(() => {
    close.current = onClose;
  }, [onClose]);

  useLayoutEffect(() => {
    const node = panel.current;
    if (node === null) return undefined;
    const before = document.activeElement;
    const point: Box = { left: x, top: y, width: 0, height: 0 };
    const stopPlacing = showFloating(node, () => trigger?.getBoundingClientRect() ?? point, { side, align, gap });
    const leaveStack = openFloat({ node, trigger, dismiss: () => close.current() });
    (firstFocus(node) ?? node).focus({ preventScroll: true });
    return () => {
      leaveStack();
      stopPlacing();
      if (node.contains(document.activeElement) && document.activeElement instanceof HTMLElement) {
        document.activeElement.blur();
      }
      returnFocus(before);
    };
    // Where it opens is decided once; it follows its trigger by itself.
  }, [trigger, x, y, side, align, gap, firstFocus]);

  return createPortal(
    <div
      ref={panel}
      popover="manual"
      tabIndex={-1}
      className={classNames(
        "min-w-44 animate-rise overflow-y-auto rounded-lg border bg-raised text-sm text-ink shadow-float outline-none",
        className,
      )}
      {...rest}
    />,
    floatHome(trigger),
  );
}
