import { findFrom, readPattern } from "../../../engine/template/functions/pattern.ts";
import { firstChars } from "../../../engine/well-formed.ts";

/** What is looked for in each line: a text, or a regular expression. */
export interface Wanted {
  query: string;
  isPattern: boolean;
  ignoreCase: boolean;
}

/** Finds out whether a line has what is wanted, and where it begins; -1 where it does not. Throws a SearchLimit. */
export type LineSearch = (line: string) => number;

/** The pattern takes too long. */
export class SearchLimit extends Error {}

/** Characters of a line that are shown around what was found. */
const shownChars = 300;
const shownBefore = 100;

/** Makes the search of a line. Its cost is linear in the text, and limited for all lines together. Throws for a pattern that cannot be read. */
export function lineSearch({ query, isPattern, ignoreCase }: Wanted): LineSearch {
  if (!isPattern) {
    const folded = ignoreCase ? query.toLowerCase() : query;
    return (line) => (ignoreCase ? line.toLowerCase() : line).indexOf(folded);
  }
  const pattern = readPattern(query, ignoreCase ? "i" : "");
  const spent = { work: 0 };
  return (line) => {
    try {
      return findFrom(line, pattern, 0, spent)?.[0] ?? -1;
    } catch (error) {
      throw new SearchLimit(error instanceof Error ? error.message : String(error));
    }
  };
}

/** A line as it is shown: all of a short one, and of a long one what is around the place. */
export function shownLine(line: string, at: number): string {
  if (line.length <= shownChars) return line;
  const start = Math.max(0, Math.min(at - shownBefore, line.length - shownChars));
  const end = start + shownChars < line.length ? "…" : "";
  return `${start > 0 ? "…" : ""}${firstChars(line.slice(start), shownChars)}${end}`;
}
