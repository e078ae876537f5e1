import * as Radix from "radix-ui/tooltip";
import type { ReactElement, ReactNode } from "react";
import { shortcutText } from "./kbd.tsx";

/** Wraps the app once; moving from one tooltip to the next shows it at once. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={400} skipDelayDuration={300}>
      {children}
    </Radix.Provider>
  );
}

interface TooltipProps {
  /** Empty content shows no tooltip. */
  content: ReactNode;
  /** Written `mod+z`. */
  shortcut?: string;
  side?: "top" | "right" | "bottom" | "left";
  /** One element that takes a ref and props; the tooltip describes it. */
  children: ReactElement;
}

/** A short hint on hover and on keyboard focus. It repeats or adds to a label, it never replaces one. */
export function Tooltip({ content, shortcut, side = "bottom", children }: TooltipProps) {
  if (content === "" || content === undefined || content === null) return children;
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-60 flex max-w-72 animate-fade items-center gap-2 rounded-md bg-ink px-2 py-1 text-xs text-surface shadow-float"
        >
          {content}
          {shortcut !== undefined && <span className="opacity-70">{shortcutText(shortcut)}</span>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
