import type { KeyboardEvent } from "react";
import { isComposing } from "../../ui/fields/composing.ts";
import type { CanvasStore } from "../../state/editor/canvas-store.ts";

/** A browser that cannot be asked whether a select is open keeps the keys of an open one to itself. */
const openSelect = CSS.supports("selector(:open)") ? "select:open" : null;

/** Whether the key belongs to something else: a window opened from here, an open list, or a word that is being composed. */
function isTaken(event: KeyboardEvent<HTMLElement>): boolean {
  const { target, currentTarget, defaultPrevented } = event;
  if (!(target instanceof Element && currentTarget.contains(target))) return true;
  const isListOpen = openSelect !== null && target.closest(openSelect) !== null;
  return defaultPrevented || isComposing(event) || isListOpen;
}

/**
 * Escape in a field of the settings goes to the node's card, where the same key closes them; so it does at the buttons of
 * their head. What was typed stays. Without a canvas on the page nothing happens.
 */
export function leaveForCard(event: KeyboardEvent<HTMLElement>, canvas: CanvasStore, nodeId: string): void {
  if (event.key !== "Escape" || isTaken(event)) return;
  const { controls } = canvas.getState();
  const isAtHead = event.target instanceof Element && event.target.closest("header button, [role=tab]") !== null;
  if (controls === null || isAtHead) return;
  // A search field would be emptied, and the selection cleared where the key comes from a switch.
  event.preventDefault();
  controls.focus(nodeId);
}
