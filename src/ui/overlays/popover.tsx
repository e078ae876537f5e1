import { useClick, useDismiss, useInteractions, useMergeRefs, useRole } from "@floating-ui/react";
import { cloneElement, type ReactElement, type ReactNode } from "react";
import { classNames } from "../theme/class-names.ts";
import { FloatingPanel } from "./floating-panel.tsx";
import type { TriggerProps } from "../buttons/trigger.ts";
import { type Align, type Side, useFloat } from "./use-float.ts";
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

const firstControl = (panel: HTMLElement) =>
  panel.querySelector<HTMLElement>(
    'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])',
  );

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
  const float = useFloat({ open: shown, onOpenChange: change, side, align, gap: 6 });
  const { context } = float;
  const props = useInteractions([useClick(context, { stickIfOpen: false }), useDismiss(context), useRole(context)]);
  const ref = useMergeRefs([float.refs.setReference, trigger.props.ref]);

  return (
    <>
      {cloneElement(trigger, { ...props.getReferenceProps(trigger.props), ref })}
      {shown && (
        <FloatingPanel
          float={float}
          keepsTab
          firstFocus={firstControl}
          {...props.getFloatingProps()}
          aria-label={label}
          className={classNames("p-3", className)}
        >
          {children}
        </FloatingPanel>
      )}
    </>
  );
}
