import type { KeyboardEvent } from "react";
import { Kbd } from "../../ui/buttons/kbd.tsx";

/** Whether a key may answer: alone, and not typed into a field. Only the card that has the keyboard hears it. */
export function isAnswerKey({ target, ctrlKey, metaKey, altKey, repeat }: KeyboardEvent): boolean {
  const isTyped =
    target instanceof Element &&
    target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]") !== null;
  return !isTyped && !ctrlKey && !metaKey && !altKey && !repeat;
}

/** The key of an answer, shown while its card has the keyboard and nothing is typed there; not on a press, which would move the button away. */
export function AnswerKey({ keys }: { keys: string }) {
  return (
    <span
      aria-hidden
      className="hidden group-focus-visible/call:inline-flex group-has-[:focus-visible]/call:inline-flex group-has-[input:not([type=checkbox]):focus]/call:hidden! group-has-[textarea:focus]/call:hidden!"
    >
      <Kbd keys={keys} />
    </span>
  );
}
