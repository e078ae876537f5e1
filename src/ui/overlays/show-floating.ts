import { type Align, type Box, placeFloating, type Side } from "./place-floating.ts";

/**
 * The element under which a float of this trigger belongs: an open dialog makes everything outside of it inert, and
 * screen readers look for content inside landmarks.
 */
export function floatHome(trigger: Element | null): Element {
  return trigger?.closest("dialog, main, nav") ?? document.body;
}

/**
 * Shows an element with `popover="manual"` above everything and keeps it beside its anchor while the window scrolls or
 * changes size. Returns what stops that.
 */
export function showFloating(
  node: HTMLElement,
  anchor: () => Box,
  preferred: { side: Side; align: Align; gap: number },
): () => void {
  node.showPopover();

  function place() {
    node.style.maxHeight = "";
    const size = { width: node.offsetWidth, height: node.offsetHeight };
    const room = { width: window.innerWidth, height: window.innerHeight };
    const { left, top, maxHeight } = placeFloating(anchor(), size, room, preferred);
    node.style.inset = "auto";
    node.style.left = `${Math.round(left)}px`;
    node.style.top = `${Math.round(top)}px`;
    node.style.maxHeight = `${Math.floor(maxHeight)}px`;
  }

  function follow(event: Event) {
    if (!(event.target instanceof Node && node.contains(event.target))) place();
  }

  place();
  const observer = new ResizeObserver(place);
  observer.observe(node);
  window.addEventListener("resize", place);
  window.addEventListener("scroll", follow, true);
  return () => {
    observer.disconnect();
    window.removeEventListener("resize", place);
    window.removeEventListener("scroll", follow, true);
  };
}
