import type { PrivacySettings } from "../../document/workflow-document.ts";
import { findMatches } from "../../template/find-matches.ts";
import { readPattern } from "../../template/match-pattern.ts";
import { maskKind } from "./known-patterns.ts";

/** What is wrong with an own regular expression, in words for its field; undefined when it can be used. */
export function patternProblem(pattern: string): string | undefined {
  try {
    const program = readPattern(pattern);
    return findMatches("a", program) === null ? "The pattern takes too long to check." : undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return `${reason}. Patterns are written as in RE2: no look-around and no back-references.`;
  }
}

/** What a text becomes that would cost too much time to search. */
export const tooLongToMask = "[masked: too long to be searched]";

/**
 * A function that masks texts as the settings say: keys, e-mail addresses and card numbers by name, what an own pattern
 * matches as `[masked]`. A pattern that cannot be read masks nothing (`patternProblem` says why); a text that would cost
 * too much time to search is masked as a whole.
 */
export function createMask({ mask, patterns }: PrivacySettings): (text: string) => string {
  const programs = patterns.filter((pattern) => patternProblem(pattern) === undefined).map(readPattern);
  return (text) => {
    let masked = text;
    for (const kind of mask) masked = maskKind(kind, masked);
    for (const program of programs) {
      const found = maskMatches(masked, program);
      if (found === undefined) return tooLongToMask;
      masked = found;
    }
    return masked;
  };
}

/** The text with all matches masked; undefined where finding them would take too long. */
function maskMatches(text: string, program: ReturnType<typeof readPattern>): string | undefined {
  const matches = findMatches(text, program);
  if (matches === null) return undefined;
  if (matches.length === 0) return text;
  let masked = "";
  let from = 0;
  for (const { start, end } of matches) {
    masked += `${text.slice(from, start)}[masked]`;
    from = end;
  }
  return masked + text.slice(from);
}
