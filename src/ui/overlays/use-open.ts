import { useState } from "react";

/** Whether something that opens is open: as its owner says, or by a state of its own where the owner leaves that out. */
export function useOpen(
  open: boolean | undefined,
  onOpenChange: ((open: boolean) => void) | undefined,
): [shown: boolean, change: (next: boolean) => void] {
  const [ownOpen, setOwnOpen] = useState(false);
  return [
    open ?? ownOpen,
    (next) => {
      setOwnOpen(next);
      onOpenChange?.(next);
    },
  ];
}
