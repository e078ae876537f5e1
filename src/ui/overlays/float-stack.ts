/** Something that floats above the page: a panel that a press elsewhere or Escape closes, or a dialog that sees to itself. */
interface Float {
  node: HTMLElement;
  /** What opened it; a press on it is left to it. */
  trigger: HTMLElement | null;
  /** Absent for dialogs, which the browser closes. */
  dismiss?: (reason: "pointer" | "escape") => void;
}

/** In the order in which they opened. A press inside one does not close those below it. */
const stack: Float[] = [];

function onPointerDown(event: PointerEvent): void {
  const target = event.target;
  if (!(target instanceof Node)) return;
  for (const float of [...stack].toReversed()) {
    if (float.node.contains(target) || float.trigger?.contains(target) === true) return;
    float.dismiss?.("pointer");
  }
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== "Escape") return;
  const top = stack.at(-1);
  if (top?.dismiss === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  top.dismiss("escape");
}

/** Puts a float on top. Returns what takes it off again. */
export function openFloat(float: Float): () => void {
  if (stack.length === 0) {
    document.addEventListener("pointerdown", onPointerDown, true);
    document.addEventListener("keydown", onKeyDown, true);
  }
  stack.push(float);
  return () => {
    stack.splice(stack.indexOf(float), 1);
    if (stack.length > 0) return;
    document.removeEventListener("pointerdown", onPointerDown, true);
    document.removeEventListener("keydown", onKeyDown, true);
  };
}
