import { useDismiss, useFocus, useHover, useInteractions, useMergeRefs, useRole } from "@floating-ui/react";
import { cloneElement, type ReactElement, type ReactNode, useState } from "react";
import { createPortal } from "react-dom";
import { shortcutText } from "../buttons/kbd.tsx";
import { floatHome, showOnTop, type Side, type TriggerProps, useFloat } from "./use-float.ts";

interface TooltipProps {
  /** Empty content shows no tooltip. */
  content: ReactNode;
  /** Written `mod+z`. */
  shortcut?: string;
  side?: Side;
  /** One element that takes a ref and props; the tooltip describes it. */
  children: ReactElement<TriggerProps>;
}

/** Milliseconds of hovering before a tooltip shows; none when another one was there this shortly before. */
const delay = 400;
const skipDelay = 300;

/** When any tooltip was last hidden, in milliseconds since 1970. */
let lastHidden = 0;

const hoverDelay = () => ({ open: Date.now() - lastHidden < skipDelay ? 0 : delay });

/** A short hint on hover and on keyboard focus. It repeats or adds to a label, it never replaces one. */
export function Tooltip({ content, shortcut, side = "bottom", children }: TooltipProps) {
  const [open, setOpen] = useState(false);
  const float = useFloat({
    open,
    onOpenChange(next) {
      if (open && !next) lastHidden = Date.now();
      setOpen(next);
    },
    side,
    align: "center",
    gap: 6,
  });
  const { context } = float;
  const { getReferenceProps, getFloatingProps } = useInteractions([
    useHover(context, { mouseOnly: true, move: false, delay: hoverDelay }),
    useFocus(context),
    // What lies below hears of Escape as well.
    useDismiss(context, { referencePress: true, outsidePress: false, bubbles: true }),
    useRole(context, { role: "tooltip", enabled: content !== children.props["aria-label"] }),
  ]);
  const ref = useMergeRefs([float.refs.setReference, children.props.ref]);
  const bubble = useMergeRefs([showOnTop, float.refs.setFloating]);

  if (content === "" || content === undefined || content === null) return children;

  return (
    <>
      {cloneElement(children, { ...getReferenceProps(children.props), ref })}
      {open &&
        createPortal(
          <div
            role="tooltip"
            {...getFloatingProps()}
            ref={bubble}
            popover="manual"
            style={float.floatingStyles}
            className="pointer-events-none inset-auto max-w-72 animate-fade items-center gap-2 rounded-md bg-ink px-2 py-1 text-xs text-surface shadow-float open:flex"
          >
            {content}
            {shortcut !== undefined && (
              <span className="opacity-70 pointer-coarse:hidden">{shortcutText(shortcut)}</span>
            )}
          </div>,
          floatHome(float.elements.domReference),
        )}
    </>
  );
}
