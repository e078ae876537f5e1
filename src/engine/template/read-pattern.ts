import { EvaluationError } from "@marcbachmann/cel-js";

/** Whether a character (its code, -1 at the end) or a place in the text fits. */
type Test = (code: number, text: string, at: number) => boolean;

/** `char` consumes one character, `assert` none; `split` goes both ways; `end` has matched. */
export type Instruction =
  { op: "char"; test: Test } | { op: "assert"; test: Test } | { op: "split"; a: number; b: number } | { op: "end" };

const limits = { pattern: 500, program: 4_000, repeat: 200, depth: 40 } as const;

function bad(message: string): EvaluationError {
  return new EvaluationError({ code: "invalid_regular_expression", message: `Regular expression: ${message}` });
}

const isDigit: Test = (code) => code >= 48 && code <= 57;
const isWord: Test = (code) => isWordCode(code);
const isSpace: Test = (code) => code === 32 || (code >= 9 && code <= 13);

function isWordCode(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

function atWordEdge(text: string, at: number): boolean {
  return isWordCode(text.charCodeAt(at - 1)) !== isWordCode(text.charCodeAt(at));
}

const not =
  (test: Test): Test =>
  (code, text, at) =>
    !test(code, text, at);

const classes: Readonly<Record<string, Test>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};

const controls: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, f: 12, v: 11 };

/** Reads a pattern into a program; the grammar is one method per level: alternatives, sequence, repetition, atom. */
class PatternReader {
  private at = 0;
  private depth = 0;
  private readonly ignoreCase: boolean;
  private readonly pattern: string;
  program: Instruction[] = [];

  constructor(pattern: string) {
    if (pattern.length > limits.pattern) throw bad(`longer than ${limits.pattern} characters`);
    this.ignoreCase = pattern.startsWith("(?i)");
    this.pattern = this.ignoreCase ? pattern.slice(4) : pattern;
    this.alternatives();
    if (this.at < this.pattern.length) throw bad(`unexpected ")" at ${this.at}`);
    this.emit({ op: "end" });
  }

  private emit(instruction: Instruction): void {
    if (this.program.length >= limits.program) throw bad("too many repetitions");
    this.program.push(instruction);
  }

  private peek(): string | undefined {
    return this.pattern[this.at];
  }

  private alternatives(): void {
    this.depth += 1;
    if (this.depth > limits.depth) throw bad("nests too deeply");
    const start = this.program.length;
    this.sequence();
    while (this.peek() === "|") {
      this.at += 1;
      const left = this.cut(start);
      this.emit({ op: "split", a: start + 1, b: start + left.length + 2 });
      this.paste(left, 1);
      const jump = this.program.length;
      this.emit({ op: "split", a: 0, b: 0 });
      this.sequence();
      this.program[jump] = { op: "split", a: this.program.length, b: this.program.length };
    }
    this.depth -= 1;
  }

  private sequence(): void {
    for (let next = this.peek(); next !== undefined && next !== "|" && next !== ")"; next = this.peek())
      this.repetition();
  }

  private repetition(): void {
    const start = this.program.length;
    this.atom();
    for (;;) {
      const [min, max] = this.quantifier() ?? [1, 1];
      if (min === 1 && max === 1) return;
      if (this.peek() === "?") this.at += 1;
      const body = this.cut(start);
      for (let count = 0; count < min; count += 1) this.paste(body, this.program.length - start);
      if (max === Infinity) {
        const loop = this.program.length;
        this.emit({ op: "split", a: loop + 1, b: loop + body.length + 2 });
        this.paste(body, loop + 1 - start);
        this.emit({ op: "split", a: loop, b: loop });
      } else {
        const end = this.program.length + (max - min) * (body.length + 1);
        for (let count = min; count < max; count += 1) {
          this.emit({ op: "split", a: this.program.length + 1, b: end });
          this.paste(body, this.program.length - start);
        }
      }
    }
  }

  private quantifier(): [number, number] | undefined {
    const next = this.peek();
    if (next === "*" || next === "+" || next === "?") {
      this.at += 1;
      return next === "*" ? [0, Infinity] : next === "+" ? [1, Infinity] : [0, 1];
    }
    const range = next === "{" ? /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(this.pattern.slice(this.at, this.at + 12)) : null;
    if (!range) return undefined;
    this.at += range[0].length;
    const min = Number(range[1]);
    const max = range[2] === undefined ? min : range[3] === undefined ? Infinity : Number(range[3]);
    if (max < min || min > limits.repeat || (max !== Infinity && max > limits.repeat)) throw bad("repeats too often");
    return [min, max];
  }

  private atom(): void {
    const next = this.pattern[this.at];
    this.at += 1;
    switch (next) {
      case "(":
        if (this.pattern.startsWith("?:", this.at)) this.at += 2;
        else if (this.peek() === "?") throw bad("only (?:…) and a leading (?i) are known");
        this.alternatives();
        if (this.peek() !== ")") throw bad('a "(" is not closed');
        this.at += 1;
        return;
      case "[":
        return this.emit({ op: "char", test: this.set() });
      case ".":
        return this.emit({ op: "char", test: (code) => code !== 10 });
      case "^":
        return this.emit({ op: "assert", test: (_code, _text, at) => at === 0 });
      case "$":
        return this.emit({ op: "assert", test: (_code, text, at) => at === text.length });
      case "*":
      case "+":
      case "?":
        throw bad(`nothing to repeat at ${this.at - 1}`);
      case "\\":
        return this.escapedAtom();
      default:
        return this.emit({ op: "char", test: this.oneOf((next ?? "").charCodeAt(0)) });
    }
  }

  private escapedAtom(): void {
    const next = this.peek();
    if (next === "b" || next === "B") {
      this.at += 1;
      const edge: Test = (_code, text, at) => atWordEdge(text, at);
      return this.emit({ op: "assert", test: next === "b" ? edge : not(edge) });
    }
    this.emit({ op: "char", test: this.escape() });
  }

  /** The rest of an escape, after the backslash. */
  private escape(): Test {
    const next = this.peek();
    if (next === undefined) throw bad("ends with a backslash");
    this.at += 1;
    const known = classes[next];
    if (known) return known;
    return this.oneOf(this.escapedCode(next));
  }

  private escapedCode(name: string): number {
    if (name === "x" || name === "u") {
      const length = name === "x" ? 2 : 4;
      const digits = this.pattern.slice(this.at, this.at + length);
      if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length !== length) throw bad(`\\${name} needs ${length} hex digits`);
      this.at += length;
      return parseInt(digits, 16);
    }
    if (/[0-9A-Za-z]/.test(name) && controls[name] === undefined) throw bad(`\\${name} is not known`);
    return controls[name] ?? name.charCodeAt(0);
  }

  /** The rest of a set, after `[`. */
  private set(): Test {
    const negated = this.peek() === "^";
    if (negated) this.at += 1;
    const tests: Test[] = [];
    for (let first = true; first || this.peek() !== "]"; first = false) {
      if (this.peek() === undefined) throw bad('a "[" is not closed');
      const low = this.setItem();
      if (typeof low === "function") {
        tests.push(low);
      } else if (this.peek() === "-" && this.pattern[this.at + 1] !== "]" && this.pattern[this.at + 1] !== undefined) {
        this.at += 1;
        const high = this.setItem();
        if (typeof high === "function" || high < low) throw bad("a range in [ ] is the wrong way round");
        tests.push(this.between(low, high));
      } else {
        tests.push(this.oneOf(low));
      }
    }
    this.at += 1;
    const any: Test = (code, text, at) => tests.some((test) => test(code, text, at));
    return negated ? not(any) : any;
  }

  private setItem(): number | Test {
    const next = this.pattern[this.at] ?? "";
    this.at += 1;
    if (next !== "\\") return next.charCodeAt(0);
    const name = this.pattern[this.at] ?? "";
    this.at += 1;
    return classes[name] ?? this.escapedCode(name);
  }

  private oneOf(code: number): Test {
    return this.between(code, code);
  }

  private between(low: number, high: number): Test {
    const plain: Test = (code) => code >= low && code <= high;
    if (!this.ignoreCase) return plain;
    return (code, text, at) => {
      const character = String.fromCharCode(code);
      return (
        plain(code, text, at) ||
        plain(character.toLowerCase().charCodeAt(0), text, at) ||
        plain(character.toUpperCase().charCodeAt(0), text, at)
      );
    };
  }

  private cut(start: number): Instruction[] {
    return this.program.splice(start);
  }

  /** Puts a piece back, its jumps moved by `offset`. */
  private paste(piece: readonly Instruction[], offset: number): void {
    for (const one of piece)
      this.emit(one.op === "split" ? { op: "split", a: one.a + offset, b: one.b + offset } : one);
  }
}

/** A pattern's program. Throws an EvaluationError of CEL that says what is wrong with the pattern. */
export function readPattern(pattern: string): Instruction[] {
  return new PatternReader(pattern).program;
}
