import { type ReactElement, type ReactNode, useEffect, useId, useState } from "react";
import { createPortal } from "react-dom";
import { useMergeRefs } from "@floating-ui/react";
import { createHoverTimer } from "./hover-timer.ts";
import { shortcutText } from "../buttons/kbd.tsx";
import { type TriggerProps, withTriggerProps } from "../buttons/trigger.ts";
import { floatHome, showOnTop, type Side, useFloat } from "./use-float.ts";

interface TooltipProps {
  /** Empty content shows no tooltip. */
  content: ReactNode;
  /** Written `mod+z`. */
  shortcut?: string;
  side?: Side;
  /** One element that takes a ref and props; the tooltip describes it. */
  children: ReactElement<TriggerProps>;
}

/**
 * A short hint on hover and on keyboard focus. It repeats or adds to a label, it never replaces one. The library's hooks for
 * hover and focus would take several times as long to draw a page full of icon buttons.
 */
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
  const float = useFloat({ open: true, elements: { reference: anchor }, side, align: "center", gap: 6 });
  return createPortal(
    <div
      ref={useMergeRefs([showOnTop, float.refs.setFloating])}
      id={id}
      role="tooltip"
      popover="manual"
      style={float.floatingStyles}
      className="pointer-events-none inset-auto max-w-72 animate-fade items-center gap-2 rounded-md bg-ink px-2 py-1 text-xs text-surface shadow-float open:flex"
    >
      {children}
    </div>,
    floatHome(anchor),
  );
}
