import { useState } from "react";
import { useReturnFocus } from "../../ui/overlays/return-focus.ts";

/** What is typed into a command menu. */
export interface MenuSearch {
  text: string;
  setText(text: string): void;
}

/**
 * The search of a command menu, which begins with what `typed` gives. When the menu closes, the keyboard goes back to what had it
 * before.
 */
export function useMenuSearch(typed: () => string = () => ""): MenuSearch {
  useReturnFocus();
  const [text, setText] = useState(typed);
  return { text, setText };
}
