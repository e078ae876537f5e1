import type { KeyboardEvent } from "react";

/** The code of keys that an input method takes; all that Safari says of the Enter that ends a composition. */
const inputMethodCode = 229;

/** Whether a key belongs to an input method, such as one that composes Chinese or Japanese. */
export function isComposing({ keyCode, nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || keyCode === inputMethodCode;
}

/** Whether a key is Enter and does not end a composition. */
export function isEnter(event: KeyboardEvent): boolean {
  return event.key === "Enter" && !isComposing(event);
}
