import { useDismiss, useInteractions, useListNavigation, useTypeahead } from "@floating-ui/react";
import { useRef, useState } from "react";
import type { Float } from "./use-float.ts";

export type MenuKeys = ReturnType<typeof useMenuKeys>;

/** What moves in a menu and closes it: arrows, Home, End, letters, Escape and a press elsewhere. */
export function useMenuKeys({ context }: Float) {
  const [activeIndex, setActiveIndex] = useState<number | null>(null);
  const elements = useRef<(HTMLElement | null)[]>([]);
  const labels = useRef<(string | null)[]>([]);
  const props = useInteractions([
    useDismiss(context),
    useListNavigation(context, {
      listRef: elements,
      activeIndex,
      onNavigate: setActiveIndex,
      loop: true,
      focusItemOnOpen: false,
    }),
    useTypeahead(context, { listRef: labels, activeIndex, onMatch: setActiveIndex }),
  ]);

  /** Tells where an item stands in the menu, and null for one that is disabled or gone. */
  function place(index: number, item: { element: HTMLElement; label: string } | null) {
    elements.current[index] = item?.element ?? null;
    labels.current[index] = item?.label ?? null;
  }

  return { ...props, place };
}
