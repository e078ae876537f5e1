import type { SketchMark } from "../graph/sketch.ts";

/** One change in words; `before` and `after` are absent where there was or is nothing. */
export interface ChangeText {
  label: string;
  before?: string;
  after?: string;
}

/** Everything that became of one part, such as a node of a workflow, or of the whole. */
export interface DiffEntry {
  id: string;
  title: string;
  mark: SketchMark;
  /** What else there is to say, such as where it went. */
  note?: string;
  changes: ChangeText[];
}

/** Characters of a value that are shown. */
const longest = 160;
/** Characters before the first difference that are shown along. */
const lead = 32;

/** A change of a JSON value: both cut to where they begin to differ. `undefined` is nothing. */
export function changeText(label: string, before: unknown, after: unknown): ChangeText {
  const [was, is] = [asText(before), asText(after)];
  let start = 0;
  if (was !== undefined && is !== undefined) while (start < was.length && was[start] === is[start]) start += 1;
  const show = (text: string) => (text === "" ? "(empty)" : cut(text, text.length > longest ? start : 0));
  return {
    label,
    ...(was === undefined ? {} : { before: show(was) }),
    ...(is === undefined ? {} : { after: show(is) }),
  };
}

function asText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, " ");
}

function cut(text: string, start: number): string {
  const from = Math.max(0, start - lead);
  const part = text.slice(from, from + longest);
  return `${from > 0 ? "…" : ""}${part}${from + longest < text.length ? "…" : ""}`;
}
