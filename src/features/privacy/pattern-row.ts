/** An own regular expression while it is edited. */
export interface PatternRow {
  key: number;
  pattern: string;
}

/** What is wrong with a row, or undefined; an empty one is left out when it is saved. */
export function patternRowProblem(
  { pattern }: PatternRow,
  problemOf: (pattern: string) => string | undefined,
): string | undefined {
  return pattern === "" ? undefined : problemOf(pattern);
}

/** The patterns as the workflow keeps them: no empty ones, none twice. */
export function storedPatterns(rows: readonly PatternRow[]): string[] {
  return [...new Set(rows.map(({ pattern }) => pattern).filter((pattern) => pattern !== ""))];
}
