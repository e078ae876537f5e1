import { type ReactNode, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import type { Side } from "./place-floating.ts";
import { floatHome, showFloating } from "./show-floating.ts";

interface TooltipBubbleProps {
  id: string;
  anchor: HTMLElement;
  side: Side;
  children: ReactNode;
}

/** The words of a tooltip, beside what they describe. */
export function TooltipBubble({ id, anchor, side, children }: TooltipBubbleProps) {
  const bubble = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const node = bubble.current;
    if (node === null) return undefined;
    return showFloating(node, () => anchor.getBoundingClientRect(), { side, align: "center", gap: 6 });
  }, [anchor, side]);

  return createPortal(
    <div
      ref={bubble}
      id={id}
      role="tooltip"
      popover="manual"
      className="pointer-events-none max-w-72 animate-fade items-center gap-2 rounded-md bg-ink px-2 py-1 text-xs text-surface shadow-float open:flex"
    >
      {children}
    </div>,
    floatHome(anchor),
  );
}
