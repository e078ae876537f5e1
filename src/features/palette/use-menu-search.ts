import { type RefCallback, useCallback, useState } from "react";
import { useReturnFocus } from "../../ui/overlays/return-focus.ts";
import { takeTypedAhead, typedAhead } from "./type-ahead.tsx";

/** What is typed into a command menu. */
export interface MenuSearch {
  text: string;
  setText(text: string): void;
  /** For the menu's field. */
  input: RefCallback<HTMLInputElement>;
}

/**
 * The search of a command menu, which begins with what was typed while its code was loaded. When the menu closes, the keyboard
 * goes back to what had it before.
 */
export function useMenuSearch(): MenuSearch {
  const [{ typed, before }] = useState(typedAhead);
  useReturnFocus(() => before);
  const [text, setText] = useState(typed);
  // With what came between the rendering and now, when the keyboard goes over to the menu.
  const input = useCallback((field: HTMLInputElement | null) => {
    const all = field === null ? "" : takeTypedAhead();
    if (all !== "") setText(all);
  }, []);
  return { text, setText, input };
}
