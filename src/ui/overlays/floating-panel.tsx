import { FloatingFocusManager, useMergeRefs } from "@floating-ui/react";
import { type ComponentProps, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { classNames } from "../theme/class-names.ts";
import { returnFocus } from "./return-focus.ts";
import { type Float, floatHome, showOnTop } from "./use-float.ts";

interface FloatingPanelProps extends Omit<ComponentProps<"div">, "ref" | "popover" | "style"> {
  float: Float;
  /** What takes the focus when it opens; the panel itself when this gives nothing. */
  firstFocus: (panel: HTMLElement) => HTMLElement | null;
  /** Whether Tab goes round inside. */
  keepsTab?: boolean;
}

/**
 * A panel above everything, in the browser's top layer. The focus goes in when it opens and back to where it was when it
 * closes, both at once: a dialog that the same click opens remembers what had the focus before it.
 */
export function FloatingPanel({ float, firstFocus, keepsTab = false, className, ...rest }: FloatingPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const ref = useMergeRefs([panel, showOnTop, float.refs.setFloating]);

  useLayoutEffect(() => {
    const node = panel.current;
    if (node === null) return undefined;
    const before = document.activeElement;
    (firstFocus(node) ?? node).focus({ preventScroll: true });
    return () => {
      const inside = document.activeElement;
      if (inside instanceof HTMLElement && node.contains(inside)) inside.blur();
      returnFocus(before);
    };
  }, [firstFocus]);

  return createPortal(
    <FloatingFocusManager context={float.context} disabled={!keepsTab} initialFocus={-1} returnFocus={false}>
      <div
        {...rest}
        ref={ref}
        popover="manual"
        style={float.floatingStyles}
        className={classNames(
          "inset-auto min-w-44 animate-rise overflow-y-auto rounded-lg border bg-raised text-sm text-ink shadow-float outline-none",
          className,
        )}
      />
    </FloatingFocusManager>,
    floatHome(float.elements.domReference),
  );
}
