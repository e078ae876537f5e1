import { type ReactElement, type ReactNode, useEffect, useId, useState } from "react";
import { createHoverTimer } from "./hover-timer.ts";
import { shortcutText } from "../buttons/kbd.tsx";
import { lazyPart } from "../feedback/lazy-part.tsx";
import type { Side } from "./place-floating.ts";
import { type TriggerProps, withTriggerProps } from "../buttons/trigger.ts";

interface TooltipProps {
  /** Empty content shows no tooltip. */
  content: ReactNode;
  /** Written `mod+z`. */
  shortcut?: string;
  side?: Side;
  /** One element that takes a ref and props; the tooltip describes it. */
  children: ReactElement<TriggerProps>;
}

/** Loaded with the first tooltip that is shown. */
export const TooltipBubble = lazyPart(async () => (await import("./tooltip-bubble.tsx")).TooltipBubble);

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
        <TooltipBubble id={id} anchor={anchor} side={side}>
          {content}
          {shortcut !== undefined && <span className="opacity-70 pointer-coarse:hidden">{shortcutText(shortcut)}</span>}
        </TooltipBubble>
      )}
    </>
  );
}
