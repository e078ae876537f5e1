import type { CanvasStore } from "../../state/editor/canvas-store.ts";

/** Frames to wait for a card that is only drawn once it is in view. */
const patience = 40;

function whenDrawn(selector: string, then: (element: HTMLElement | SVGElement) => void, frames = patience): void {
  const element = document.querySelector(selector);
  if (element instanceof HTMLElement || element instanceof SVGElement) then(element);
  else if (frames > 0) requestAnimationFrame(() => whenDrawn(selector, then, frames - 1));
}

function isInView(element: Element): boolean {
  const pane = element.closest(".react-flow")?.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  if (pane === undefined) return false;
  return box.left >= pane.left && box.right <= pane.right && box.top >= pane.top && box.bottom <= pane.bottom;
}

const cardSelector = (nodeId: string) => `.react-flow__node[data-id="${CSS.escape(nodeId)}"]`;

export function isCardInView(nodeId: string): boolean {
  const drawn = document.querySelector(cardSelector(nodeId));
  return drawn !== null && isInView(drawn);
}

/** Gives the keyboard to the canvas as a whole. */
export function focusCanvas(): void {
  document.querySelector<HTMLElement>(".react-flow")?.focus({ preventScroll: true });
}

/** Gives the keyboard to a card, and brings it into view where it is not, unless it was just added from a port. */
export function focusNode(canvas: CanvasStore, nodeId: string): void {
  if (nodeId !== canvas.getState().addedAtPort && !isCardInView(nodeId)) canvas.getState().controls?.reveal(nodeId);
  whenDrawn(cardSelector(nodeId), (element) => element.focus({ preventScroll: true }));
}

/** Gives the keyboard to a wire. */
export function focusEdge(edgeId: string): void {
  whenDrawn(`.react-flow__edge[data-id="${CSS.escape(edgeId)}"]`, (element) => element.focus({ preventScroll: true }));
}
