import { firstChars } from "../../engine/well-formed.ts";

const mostChars = 300;

/** A text as a reason has room for it. */
export function shortened(text: string): string {
  const cut = firstChars(text, mostChars);
  return cut.length < text.length ? `${cut}…` : text;
}
