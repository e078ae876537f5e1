import * as Radix from "radix-ui/popover";
import type { ReactElement, ReactNode } from "react";
import { classNames } from "./class-names.ts";

export interface PopoverProps {
  /** The button that opens it; takes a ref and props. */
  trigger: ReactElement;
  children: ReactNode;
  /** Leave both out to let the popover keep its own state. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  side?: "top" | "right" | "bottom" | "left";
  align?: "start" | "center" | "end";
  className?: string;
  /** Spoken name of the panel. */
  label?: string;
}

/** A small floating panel beside its trigger; closes on Escape or a click elsewhere. */
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
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={classNames(
            "z-50 max-h-(--radix-popover-content-available-height) min-w-48 animate-rise overflow-y-auto rounded-lg border bg-raised p-3 shadow-float outline-none",
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Closes the popover it stands in when its child is pressed. */
export function PopoverClose({ children }: { children: ReactElement }) {
  return <Radix.Close asChild>{children}</Radix.Close>;
}
