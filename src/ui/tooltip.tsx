import { type ReactElement, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { createHoverTimer } from "./hover-timer.ts";
import { shortcutText } from "./kbd.tsx";
import type { Side } from "./place-floating.ts";
import { floatHome, showFloating } from "./show-floating.ts";
import { type TriggerProps, withTriggerProps } from "./trigger.ts";

export interface TooltipProps {
  /** Empty content shows no tooltip. */
  content: ReactNode;
  /** Written `mod+z`. */
  shortcut?: string;
  side?: Side;
  /** One element that takes a ref and props; the tooltip describes it. */
  children: ReactElement<TriggerProps>;
}

/** A short hint on hover and on keyboard focus. It repeats or adds to a label, it never replaces one. */
export function Tooltip({ content, shortcut, side = "bottom", children }: TooltipProps) {
  const [shown, setShown] = useState(false);
  const [hover] = useState(() => createHoverTimer(setShown));
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const id = useId();

  useEffect(() => () => hover.hide(), [hover]);

  if (content === "" || content === undefined || content === null) return children;

  const repeatsLabel = content === children.props["aria-label"];
  return (
    <>
      {withTriggerProps(
        children,
        {
          ...(shown && !repeatsLabel ? { "aria-describedby": id } : {}),
          onPointerEnter: (event) => {
            if (event.pointerType !== "touch") hover.enter();
          },
          onPointerLeave: hover.hide,
          onPointerDown: hover.hide,
          onFocus: (event) => {
            if (event.currentTarget.matches(":focus-visible")) hover.show();
          },
          onBlur: hover.hide,
          onKeyDown: (event) => {
            if (event.key === "Escape") hover.hide();
          },
        },
        setAnchor,
      )}
      {shown && anchor !== null && (
        <Bubble id={id} anchor={anchor} side={side}>
          {content}
          {shortcut !== undefined && <span className="opacity-70 pointer-coarse:hidden">{shortcutText(shortcut)}</span>}
        </Bubble>
      )}
    </>
  );
}

function Bubble({ id, anchor, side, children }: { id: string; anchor: HTMLElement; side: Side; children: ReactNode }) {
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
