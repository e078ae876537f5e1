import { compilePattern, type Pattern, type PatternDialect } from "../compile-pattern.ts";
import { unfit } from "./values.ts";

/**
 * Regular expressions as JavaScript writes them, without look-around and back-references, matched by following all
 * possibilities at once in their order (Pike 1987, "The text editor sam"): the same match as a backtracking matcher finds,
 * at a cost linear in text × pattern.
 */
const javascript: PatternDialect = {
  limits: { pattern: 2_000, steps: 5_000, repeat: 500, depth: 60 },
  refuse: unfit,
  isSpace: (code) => /\s/.test(String.fromCharCode(code)),
  isLineEnd: (code) => code === 10 || code === 13 || code === 0x2028 || code === 0x2029,
  captures: true,
  takesFirstBracket: false,
  repeatsAgain: false,
};

/** Steps of the matcher that one text may cost. */
const mostWork = 20_000_000;

/** Start and end of the match and of each of its groups; -1 for a group that took no part. */
type Found = readonly number[];

const read = new Map<string, Pattern>();

/** Reads a pattern; the last 200 are remembered. Throws what `unfit` makes. Of the flags, i, m and s count here. */
export function readPattern(source: string, flags = ""): Pattern {
  const key = `${flags}/${source}`;
  const known = read.get(key);
  if (known) return known;
  const pattern = compilePattern(source, javascript, {
    ignoreCase: flags.includes("i"),
    multiline: flags.includes("m"),
    dotAll: flags.includes("s"),
  });
  if (read.size >= 200) read.clear();
  read.set(key, pattern);
  return pattern;
}

/** The first match from `from` on, or undefined. Throws what `unfit` makes when it would take too long. */
export function findFrom(text: string, { steps }: Pattern, from: number, spent: { work: number }): Found | undefined {
  const seen = new Int32Array(steps.length).fill(-1);
  let threads: { pc: number; slots: readonly number[] }[] = [];
  let best: Found | undefined;
  for (let at = from; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : -1;
    const open = threads.toReversed();
    if (!best) open.unshift({ pc: 0, slots: [at, -1] });
    const next: typeof threads = [];
    for (let thread = open.pop(); thread; thread = open.pop()) {
      const { pc, slots } = thread;
      if (seen[pc] === at) continue;
      seen[pc] = at;
      spent.work += 1;
      const step = steps[pc];
      if (!step || step.op === "end") {
        best = slots.with(1, at);
        break;
      }
      if (step.op === "split") for (const to of step.to.toReversed()) open.push({ pc: to, slots });
      else if (step.op === "save") {
        const copy = [...slots];
        while (copy.length <= step.slot) copy.push(-1);
        copy[step.slot] = at;
        open.push({ pc: pc + 1, slots: copy });
      } else if (step.op === "assert") {
        if (step.holds(text, at)) open.push({ pc: pc + 1, slots });
      } else if (code !== -1 && step.test(code)) next.push({ pc: pc + 1, slots });
    }
    threads = next;
    if (spent.work > mostWork) throw unfit("The pattern takes too long on this text");
    if (best && threads.length === 0) return best;
  }
  return best;
}

/** Every match, from the left, none overlapping. */
export function findAll(text: string, pattern: Pattern, most = Infinity): Found[] {
  const spent = { work: 0 };
  const all: Found[] = [];
  for (let from = 0; from <= text.length && all.length < most;) {
    const found = findFrom(text, pattern, from, spent);
    if (!found) break;
    all.push(found);
    const [start = 0, end = 0] = found;
    from = end > start ? end : end + 1;
  }
  return all;
}

/** The texts of a match: the whole, then each group; undefined for a group that took no part. */
export function groupsOf(text: string, found: Found, { groups }: Pattern): (string | undefined)[] {
  return [undefined, ...groups].map((_, index) => {
    const [start = -1, end = -1] = found.slice(index * 2, index * 2 + 2);
    return start < 0 || end < 0 ? undefined : text.slice(start, end);
  });
}
