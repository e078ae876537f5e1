import { firstChars } from "../../../engine/well-formed.ts";

/** Some lines of a text. Numbers count from 1; `skipped` are characters of the first one that were left out. */
export interface TextPart {
  text: string;
  first: number;
  last: number;
  lines: number;
  /** Where to go on; absent at the end of the text. */
  next?: { from_line: number; skip_chars?: number };
}

/** Reads lines of a text, as many as fit into so many characters. A line that alone is longer is cut, and can be read on. */
export function readLines(
  text: string,
  { from, count, skip, maxChars }: { from: number; count: number; skip: number; maxChars: number },
): TextPart {
  const lines = linesOf(text);
  const pieces: string[] = [];
  let left = maxChars;
  let at = from;
  for (; at <= lines.length && at < from + count; at += 1) {
    const line = (lines[at - 1] ?? "").slice(at === from ? skip : 0);
    if (line.length > left) {
      if (pieces.length > 0) break;
      const piece = firstChars(line, left);
      const next = { from_line: at, skip_chars: (at === from ? skip : 0) + piece.length };
      return { text: piece, first: from, last: at, lines: lines.length, next };
    }
    pieces.push(line);
    left -= line.length + 1;
  }
  const rest = at <= lines.length ? { next: { from_line: at } } : {};
  return { text: pieces.join("\n"), first: from, last: at - 1, lines: lines.length, ...rest };
}

/** The lines of a text; a line end at its end begins no further one. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
