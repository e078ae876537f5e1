import { EvaluationError } from "@marcbachmann/cel-js";
import { compilePattern, type Pattern, type PatternDialect } from "./compile-pattern.ts";

/** CEL's regular expressions: RE2's syntax, without back-references and look-around. */
const re2: PatternDialect = {
  limits: { pattern: 500, steps: 4_000, repeat: 200, depth: 40 },
  refuse: (message) => new EvaluationError({ code: "invalid_regular_expression", message }),
  isSpace: (code) => code === 32 || (code >= 9 && code <= 13),
  isLineEnd: (code) => code === 10,
  captures: false,
  takesFirstBracket: true,
  repeatsAgain: true,
};

/** Reads a pattern of CEL. A leading `(?i)` makes case count for nothing. Throws an EvaluationError that says what is wrong. */
export function readPattern(pattern: string): Pattern {
  const ignoreCase = pattern.startsWith("(?i)");
  return compilePattern(ignoreCase ? pattern.slice(4) : pattern, re2, { ignoreCase });
}

const programs = new Map<string, Pattern>();

function programOf(pattern: string): Pattern {
  let program = programs.get(pattern);
  if (!program) {
    program = readPattern(pattern);
    if (programs.size > 200) programs.clear();
    programs.set(pattern, program);
  }
  return program;
}

/**
 * Whether a regular expression of CEL matches somewhere in the text. All possibilities are followed at once (Thompson 1968), so that
 * the cost is linear in text × pattern and no pattern can blow up. `count` is called once per character with the number of steps that were visited there, to bound the time.
 */
export function matchesPattern(text: string, pattern: string, count: (visited: number) => void = () => {}): boolean {
  const { steps } = programOf(pattern);
  const seen = new Int32Array(steps.length).fill(-1);
  let threads: number[] = [];
  const open: number[] = [];
  for (let at = 0; at <= text.length; at += 1) {
    let visited = 0;
    const code = at < text.length ? text.charCodeAt(at) : -1;
    const next: number[] = [];
    open.length = 0;
    open.push(0);
    for (let index = threads.length - 1; index >= 0; index -= 1) open.push(threads[index] ?? 0);
    for (let pc = open.pop(); pc !== undefined; pc = open.pop()) {
      if (seen[pc] === at) continue;
      seen[pc] = at;
      visited += 1;
      const step = steps[pc];
      if (!step || step.op === "end") {
        count(visited);
        return true;
      }
      if (step.op === "split") open.push(...step.to);
      else if (step.op === "assert") {
        if (step.holds(text, at)) open.push(pc + 1);
      } else if (step.op === "save") open.push(pc + 1);
      else if (code !== -1 && step.test(code)) next.push(pc + 1);
    }
    count(visited);
    threads = next;
  }
  return false;
}
