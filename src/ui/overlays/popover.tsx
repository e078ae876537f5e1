import { type KeyboardEvent, type ReactElement, type ReactNode, useState } from "react";
import { classNames } from "../theme/class-names.ts";
import { lazyPart } from "../feedback/lazy-part.tsx";
import type { Align, Side } from "./place-floating.ts";
import { type TriggerProps, withTriggerProps } from "../buttons/trigger.ts";
import { useOpen } from "./use-open.ts";

interface PopoverProps {
  /** The button that opens it; takes a ref and props. */
  trigger: ReactElement<TriggerProps>;
  children: ReactNode;
  /** Leave both out to let the popover keep its own state. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  side?: Side;
  align?: Align;
  className?: string;
  /** Spoken name of the panel. */
  label?: string;
}

/** Loaded with the first popover that is opened. */
export const FloatingPanel = lazyPart(async () => (await import("./floating-panel.tsx")).FloatingPanel);

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])';

const firstControl = (panel: HTMLElement) => panel.querySelector<HTMLElement>(focusable);

/** Tab goes round inside: the panel stands outside of the page's order. */
function keepTabInside(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "Tab") return;
  const controls = [...event.currentTarget.querySelectorAll<HTMLElement>(focusable)];
  const edge = event.shiftKey ? controls[0] : controls.at(-1);
  const next = event.shiftKey ? controls.at(-1) : controls[0];
  if (next === undefined) event.preventDefault();
  if (document.activeElement !== edge && document.activeElement !== event.currentTarget) return;
  event.preventDefault();
  next?.focus();
}

/** A small floating panel beside its trigger; closes on Escape or a press elsewhere. */
export function Popover({
  trigger,
  children,
  open,
  onOpenChange,
  side = "bottom",
  align = "start",
  className,
  label,
}: PopoverProps) {
  const [shown, change] = useOpen(open, onOpenChange);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);

  return (
    <>
      {withTriggerProps(
        trigger,
        { "aria-haspopup": "dialog", "aria-expanded": shown, onClick: () => change(!shown) },
        setAnchor,
      )}
      {shown && anchor !== null && (
        <FloatingPanel
          role="dialog"
          aria-label={label}
          trigger={anchor}
          side={side}
          align={align}
          gap={6}
          firstFocus={firstControl}
          onClose={() => change(false)}
          onKeyDown={keepTabInside}
          className={classNames("p-3", className)}
        >
          {children}
        </FloatingPanel>
      )}
    </>
  );
}
