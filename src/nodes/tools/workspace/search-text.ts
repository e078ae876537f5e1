import { findMatches } from "../../../engine/template/find-matches.ts";
import { matchesPattern, readPattern } from "../../../engine/template/match-pattern.ts";
import { firstChars } from "../../../engine/well-formed.ts";

/** What is looked for in each line: a text, or a regular expression. */
interface Wanted {
  query: string;
  isPattern: boolean;
  ignoreCase: boolean;
}

/**
 * Finds out where in a line stands what is wanted; -1 where it does not, and 0 in a very long line that a pattern matches. Throws
 * a SearchLimit.
 */
export type LineSearch = (line: string) => number;

/** The pattern takes too long. */
export class SearchLimit extends Error {}

/** Steps of a pattern that one search visits, over all its lines; about half a second's work. */
const maxWork = 10_000_000;

/** Characters of a line in which the place of a pattern's match is looked for. */
const maxPlacedChars = 2_000;

/** Characters of a line that are shown around what was found. */
const shownChars = 300;
const shownBefore = 100;

/** Makes the search of a line; its work is limited for all lines together. Throws for a pattern that cannot be read. */
export function lineSearch({ query, isPattern, ignoreCase }: Wanted): LineSearch {
  if (!isPattern) {
    const folded = ignoreCase ? query.toLowerCase() : query;
    return (line) => (ignoreCase ? line.toLowerCase() : line).indexOf(folded);
  }
  const pattern = ignoreCase && !query.startsWith("(?i)") ? `(?i)${query}` : query;
  const program = readPattern(pattern);
  let work = 0;
  const count = (visited: number) => {
    work += visited;
    if (work > maxWork) throw new SearchLimit("The pattern takes too long.");
  };
  return (line) => {
    if (!matchesPattern(line, pattern, count)) return -1;
    if (line.length <= shownChars || line.length > maxPlacedChars) return 0;
    count(line.length * program.steps.length);
    return findMatches(line, program)?.[0]?.start ?? 0;
  };
}

/** A line as it is shown: all of a short one, and of a long one what is around the place. */
export function shownLine(line: string, at: number): string {
  if (line.length <= shownChars) return line;
  const start = Math.max(0, Math.min(at - shownBefore, line.length - shownChars));
  const end = start + shownChars < line.length ? "…" : "";
  return `${start > 0 ? "…" : ""}${firstChars(line.slice(start), shownChars)}${end}`;
}
