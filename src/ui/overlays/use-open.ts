import type { OpenChangeReason } from "@floating-ui/react";
import { useState } from "react";

/** Whether something that opens is open: as its owner says, or by a state of its own where the owner leaves that out. */
export function useOpen(
  open: boolean | undefined,
  onOpenChange: ((open: boolean) => void) | undefined,
): [shown: boolean, change: (next: boolean, event?: Event, reason?: OpenChangeReason) => void] {
  const [ownOpen, setOwnOpen] = useState(false);
  return [
    open ?? ownOpen,
    (next, event, reason) => {
      // The browser would close the dialog below as well.
      if (reason === "escape-key") event?.preventDefault();
      setOwnOpen(next);
      onOpenChange?.(next);
    },
  ];
}
