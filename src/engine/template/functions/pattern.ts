import { unfit } from "./values.ts";

/**
 * Regular expressions as JavaScript writes them, without look-around and back-references, matched by following all
 * possibilities at once in their order (Pike 1987, "The text editor sam"): the same match as a backtracking matcher finds,
 * at a cost linear in text × pattern.
 */

type Test = (code: number) => boolean;
type Step =
  | { op: "char"; test: Test }
  | { op: "assert"; holds(text: string, at: number): boolean }
  | { op: "split"; to: readonly number[] }
  | { op: "save"; slot: number }
  | { op: "end" };

interface Flags {
  ignoreCase: boolean;
  multiline: boolean;
  dotAll: boolean;
}

/** A pattern ready to match. */
export interface Pattern {
  steps: readonly Step[];
  /** Names of the groups, in order; undefined for a group without one. */
  groups: readonly (string | undefined)[];
}

/** Start and end of the match and of each of its groups; -1 for a group that took no part. */
export type Found = readonly number[];

const limits = { pattern: 2_000, steps: 5_000, repeat: 500, depth: 60, work: 20_000_000 } as const;

const isWord: Test = (code) =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
const isDigit: Test = (code) => code >= 48 && code <= 57;
const isSpace: Test = (code) => /\s/.test(String.fromCharCode(code));
const not =
  (test: Test): Test =>
  (code) =>
    !test(code);
const classes: Readonly<Record<string, Test>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};
const controls: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, f: 12, v: 11, "0": 0 };
const isLineEnd = (code: number) => code === 10 || code === 13 || code === 0x2028 || code === 0x2029;

class Reader {
  readonly steps: Step[] = [];
  readonly groups: (string | undefined)[] = [];
  private at = 0;
  private depth = 0;
  private readonly source: string;
  private readonly flags: Flags;

  constructor(source: string, flags: Flags) {
    this.source = source;
    this.flags = flags;
    if (source.length > limits.pattern) throw unfit("The pattern is too long");
    this.alternatives();
    if (this.at < source.length) throw unfit('The pattern has a ")" too many');
    this.emit({ op: "end" });
  }

  private emit(step: Step): number {
    if (this.steps.length >= limits.steps) throw unfit("The pattern repeats too much");
    return this.steps.push(step) - 1;
  }

  private eat(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private alternatives(): void {
    this.depth += 1;
    if (this.depth > limits.depth) throw unfit("The pattern nests too deeply");
    const start = this.steps.length;
    const ends: number[] = [];
    this.sequence();
    while (this.eat("|")) {
      ends.push(this.emit({ op: "split", to: [] }));
      this.insertSplit(start, ends);
      this.sequence();
    }
    for (const end of ends) this.steps[end] = { op: "split", to: [this.steps.length] };
    this.depth -= 1;
  }

  /** Puts a choice in front of what was read since `start`: that, or what comes next. Moves the jumps behind it. */
  private insertSplit(start: number, marks: number[]): void {
    const moved = this.steps.splice(start).map((step) => shifted(step, start, 1));
    this.steps.push({ op: "split", to: [start + 1, start + 1 + moved.length] }, ...moved);
    for (const [index, mark] of marks.entries()) marks[index] = mark + 1;
  }

  private sequence(): void {
    for (
      let next = this.source[this.at];
      next !== undefined && next !== "|" && next !== ")";
      next = this.source[this.at]
    )
      this.repetition();
  }

  private repetition(): void {
    const start = this.steps.length;
    this.atom();
    const range = this.quantifier();
    if (!range) return;
    const [least, most] = range;
    const lazy = this.eat("?");
    const body = this.steps.splice(start);
    const paste = () => {
      const offset = this.steps.length - start;
      for (const step of body) this.emit(shifted(step, start, offset));
    };
    const ways = (into: number, past: number) => (lazy ? [past, into] : [into, past]);
    for (let count = 0; count < least; count += 1) paste();
    if (most === Infinity) {
      const loop = this.emit({ op: "split", to: [] });
      paste();
      this.emit({ op: "split", to: [loop] });
      this.steps[loop] = { op: "split", to: ways(loop + 1, this.steps.length) };
      return;
    }
    const splits: number[] = [];
    for (let count = least; count < most; count += 1) {
      splits.push(this.emit({ op: "split", to: [] }));
      paste();
    }
    for (const split of splits) this.steps[split] = { op: "split", to: ways(split + 1, this.steps.length) };
  }

  private quantifier(): readonly [number, number] | undefined {
    if (this.eat("*")) return [0, Infinity];
    if (this.eat("+")) return [1, Infinity];
    if (this.eat("?")) return [0, 1];
    const range = /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(this.source.slice(this.at, this.at + 12));
    if (!range) return undefined;
    this.at += range[0].length;
    const least = Number(range[1]);
    const most = range[2] === undefined ? least : range[3] === undefined ? Infinity : Number(range[3]);
    if (most < least || least > limits.repeat || (most !== Infinity && most > limits.repeat))
      throw unfit("The pattern repeats too often");
    return [least, most];
  }

  private atom(): void {
    const next = this.source[this.at] ?? "";
    this.at += 1;
    switch (next) {
      case "(":
        return this.group();
      case "[":
        return void this.emit({ op: "char", test: this.set() });
      case ".":
        return void this.emit({ op: "char", test: this.flags.dotAll ? () => true : not(isLineEnd) });
      case "^": {
        const lines = this.flags.multiline;
        return void this.emit({
          op: "assert",
          holds: (text, at) => at === 0 || (lines && isLineEnd(text.charCodeAt(at - 1))),
        });
      }
      case "$": {
        const lines = this.flags.multiline;
        return void this.emit({
          op: "assert",
          holds: (text, at) => at === text.length || (lines && isLineEnd(text.charCodeAt(at))),
        });
      }
      case "*":
      case "+":
      case "?":
        throw unfit("The pattern repeats nothing");
      case "\\":
        return this.escaped();
      default:
        return void this.emit({ op: "char", test: this.between(next.charCodeAt(0), next.charCodeAt(0)) });
    }
  }

  private group(): void {
    let slot: number | undefined;
    if (!this.eat("?:")) {
      const name = /^\?<([A-Za-z_]\w*)>/.exec(this.source.slice(this.at, this.at + 70));
      if (name) this.at += name[0].length;
      else if (this.source[this.at] === "?")
        throw unfit("The pattern looks ahead or behind, which is not possible here");
      this.groups.push(name?.[1]);
      slot = this.groups.length * 2;
      this.emit({ op: "save", slot });
    }
    this.alternatives();
    if (!this.eat(")")) throw unfit('The pattern lacks a ")"');
    if (slot !== undefined) this.emit({ op: "save", slot: slot + 1 });
  }

  private escaped(): void {
    const name = this.source[this.at] ?? "";
    if (name === "b" || name === "B") {
      this.at += 1;
      const edge = (text: string, at: number) => isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at));
      return void this.emit({ op: "assert", holds: (text, at) => edge(text, at) === (name === "b") });
    }
    this.emit({ op: "char", test: this.escape() });
  }

  private escape(): Test {
    const item = this.escapeItem();
    return typeof item === "function" ? item : this.between(item, item);
  }

  /** What follows a backslash: a class or a character's code. */
  private escapeItem(): number | Test {
    const name = this.source[this.at] ?? "";
    this.at += 1;
    const known = classes[name];
    if (known) return known;
    if (name === "x" || name === "u") {
      const digits = /^[0-9a-fA-F]+/.exec(this.source.slice(this.at, this.at + (name === "x" ? 2 : 4)))?.[0] ?? "";
      if (digits.length !== (name === "x" ? 2 : 4)) throw unfit(`\\${name} in the pattern needs hexadecimal digits`);
      this.at += digits.length;
      return parseInt(digits, 16);
    }
    const control = controls[name];
    if (control !== undefined) return control;
    if (/[0-9A-Za-z]/.test(name)) throw unfit(`\\${name} is not possible in a pattern here`);
    return name.charCodeAt(0);
  }

  private set(): Test {
    const negated = this.eat("^");
    const tests: Test[] = [];
    while (!this.eat("]")) {
      if (this.at >= this.source.length) throw unfit('The pattern lacks a "]"');
      const low = this.setItem();
      if (typeof low === "function") tests.push(low);
      else if (this.source[this.at] === "-" && this.source[this.at + 1] !== "]") {
        this.at += 1;
        const high = this.setItem();
        if (typeof high === "function") tests.push(this.between(low, low), this.between(45, 45), high);
        else tests.push(this.between(low, high));
      } else tests.push(this.between(low, low));
    }
    const any: Test = (code) => tests.some((test) => test(code));
    return negated ? not(any) : any;
  }

  private setItem(): number | Test {
    const next = this.source[this.at] ?? "";
    this.at += 1;
    if (next !== "\\") return next.charCodeAt(0);
    if (this.eat("b")) return 8;
    return this.escapeItem();
  }

  private between(low: number, high: number): Test {
    const plain: Test = (code) => code >= low && code <= high;
    if (!this.flags.ignoreCase) return plain;
    return (code) => {
      const character = String.fromCharCode(code);
      return (
        plain(code) || plain(character.toLowerCase().charCodeAt(0)) || plain(character.toUpperCase().charCodeAt(0))
      );
    };
  }
}

/** The step with jumps to `from` and behind moved on. */
function shifted(step: Step, from: number, offset: number): Step {
  return step.op === "split" ? { op: "split", to: step.to.map((to) => (to >= from ? to + offset : to)) } : step;
}

const read = new Map<string, Pattern>();

/** Reads a pattern; the last 200 are remembered. Throws what `unfit` makes. Of the flags, i, m and s count here. */
export function readPattern(source: string, flags = ""): Pattern {
  const key = `${flags}/${source}`;
  const known = read.get(key);
  if (known) return known;
  const reader = new Reader(source, {
    ignoreCase: flags.includes("i"),
    multiline: flags.includes("m"),
    dotAll: flags.includes("s"),
  });
  const pattern = { steps: reader.steps, groups: reader.groups };
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
    if (spent.work > limits.work) throw unfit("The pattern takes too long on this text");
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
