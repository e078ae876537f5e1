/** What a check found. `missing` keeps a studio from working, a `note` is for its operator to decide. */
export interface Finding {
  state: "ok" | "missing" | "note";
  what: string;
  /** What to do; where nothing is to do, it is left out. */
  how?: string;
}

export const ok = (what: string): Finding => ({ state: "ok", what });
export const missing = (what: string, how: string): Finding => ({ state: "missing", what, how });
export const note = (what: string, how: string): Finding => ({ state: "note", what, how });

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

const marks: Record<Finding["state"], string> = { ok: "ok      ", missing: "MISSING ", note: "note    " };

/** One or two lines of text. */
export function describeFinding({ state, what, how }: Finding): string {
  const indent = " ".repeat(marks[state].length);
  return `${marks[state]}${what}${how === undefined ? "" : `\n${indent}${how.replaceAll("\n", `\n${indent}`)}`}`;
}
