import * as Radix from "radix-ui/dialog";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { IconButton } from "./icon-button.tsx";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** One sentence under the title. */
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons at the lower right, the primary one last. */
  footer?: ReactNode;
  size?: "sm" | "md" | "lg";
  /** Keeps the dialog open on a click outside, for forms with unsaved text. */
  modalOnly?: boolean;
}

const widths = { sm: "sm:w-[400px]", md: "sm:w-[520px]", lg: "sm:w-[720px]" };

/** A modal window: focus stays inside, Escape closes, focus returns where it was. On a phone it is a sheet from below. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = "md",
  modalOnly = false,
}: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-overlay" />
        <Radix.Content
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          onPointerDownOutside={(event) => {
            if (modalOnly) event.preventDefault();
          }}
          className={classNames(
            "fixed z-50 flex max-h-[92dvh] flex-col bg-raised shadow-float outline-none",
            "inset-x-0 bottom-0 animate-rise rounded-t-lg border-t",
            "sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:max-h-[min(86dvh,760px)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-lg sm:border",
            widths[size],
          )}
        >
          <header className="py-4 pr-12 pl-5">
            <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
            {description !== undefined && (
              <Radix.Description className="mt-0.5 text-muted">{description}</Radix.Description>
            )}
          </header>
          {children !== undefined && <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5">{children}</div>}
          {footer !== undefined && (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-t px-5 py-3">{footer}</footer>
          )}
          {/* Last, so that focus starts at the content. */}
          <Radix.Close asChild>
            <IconButton icon="x" label="Close" size="sm" className="absolute! top-3 right-3" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
