import { readPattern } from "../../engine/template/functions/pattern.ts";
import { NoExpression } from "./piece.ts";

/** Whether a regular expression can be matched in linear time, as all are here; look-around and back-references cannot. */
export function isMatchable(source: string, flags = ""): boolean {
  try {
    readPattern(source, flags.replace(/[uyd]/g, ""));
    return true;
  } catch {
    return false;
  }
}

/** A regular expression that can be matched here. Throws NoExpression for any other. */
export function checked<Regex extends { source: string; flags: string }>(regex: Regex): Regex {
  if (isMatchable(regex.source, regex.flags)) return regex;
  throw new NoExpression(`the regular expression /${regex.source.slice(0, 60)}/`);
}
