import { useEffect, useState } from "react";

/** What has the keyboard now; null while nothing in particular has it. */
export function focusedElement(): Element | null {
  const { activeElement } = document;
  return activeElement === document.body ? null : activeElement;
}

/** Gives the keyboard back to an element, unless something has it meanwhile or the element is gone. */
export function returnFocus(to: Element | null): void {
  const canTake = to instanceof HTMLElement || to instanceof SVGElement;
  if (canTake && to.isConnected && focusedElement() === null) to.focus({ preventScroll: true });
}

/** When the component goes away, the keyboard goes back to what had it before: a card or a wire, a field, a button. */
export function useReturnFocus(before: () => Element | null = focusedElement): void {
  const [opener] = useState(before);
  useEffect(() => () => returnFocus(opener), [opener]);
}
