import { type FocusEvent, useEffect, useState } from "react";

/** More rows than these are not held for a selection that reaches across a whole conversation. */
const mostSelected = 200;

/** Keys of rows that are to stay in the page: the one with the focus, and those in which a selection begins and ends. */
interface HeldRows {
  focused: string | null;
  selected: readonly string[];
}

const none: readonly string[] = [];

/** The row that a place in the page belongs to. */
function rowOf(node: Node | null): string | null {
  const element = node instanceof Element ? node : (node?.parentElement ?? null);
  return element?.closest("[data-row]")?.getAttribute("data-row") ?? null;
}

function selectedRows(): readonly string[] {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed) return none;
  const start = rowOf(selection.anchorNode);
  const end = rowOf(selection.focusNode);
  return start === null || end === null ? none : [start, end];
}

/** Rows that stay in the page wherever the reader scrolls: the one with the focus, and those with selected text. */
export function useHeldRows() {
  const [focused, setFocused] = useState<string | null>(null);
  const [selected, setSelected] = useState(none);
  useEffect(() => {
    const onChange = () => {
      const next = selectedRows();
      setSelected((before) => (before.join("\n") === next.join("\n") ? before : next));
    };
    document.addEventListener("selectionchange", onChange);
    return () => document.removeEventListener("selectionchange", onChange);
  }, []);
  return {
    held: { focused, selected },
    onFocus: ({ target }: FocusEvent<HTMLElement>) => setFocused(rowOf(target)),
    onBlur: () => setFocused(null),
  };
}

/** The places of the rows that are held, those between the ends of a selection included. */
export function heldIndices(indexOf: ReadonlyMap<string, number>, { focused, selected }: HeldRows): number[] {
  const held = [indexOf.get(focused ?? "")];
  const [start, end] = selected.map((key) => indexOf.get(key));
  if (start !== undefined && end !== undefined) {
    const first = Math.min(start, end);
    const count = Math.abs(start - end) + 1;
    if (count > mostSelected) held.push(start, end);
    else held.push(...Array.from({ length: count }, (_, offset) => first + offset));
  }
  return held.filter((index) => index !== undefined);
}
