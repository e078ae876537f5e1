import type { Instruction } from "./read-pattern.ts";

/** Where a match stands in a text: from `start` up to, not including, `end`. */
interface Match {
  start: number;
  end: number;
}

/** Steps of the matcher that one text may cost; some 50 million take a second. */
const maxSteps = 20_000_000;

/**
 * All matches of a program (`readPattern`) in a text: from the left, each as long as possible, none overlapping, none
 * empty. All possibilities are followed at once, so that no pattern can blow up; a text that would still cost too much
 * gives null.
 */
export function findMatches(text: string, program: readonly Instruction[]): Match[] | null {
  const matches: Match[] = [];
  let steps = 0;
  for (let from = 0; from < text.length;) {
    const found = nextMatch(text, from);
    if (steps > maxSteps) return null;
    if (!found) return matches;
    matches.push(found);
    from = found.end;
  }
  return matches;

  /** Threads carry where they began; the leftmost beginning wins, then the longest match. */
  function nextMatch(source: string, from: number): Match | undefined {
    const seen = new Int32Array(program.length).fill(-1);
    let threads: { pc: number; start: number }[] = [];
    let best: Match | undefined;
    for (let at = from; at <= source.length; at += 1) {
      const code = at < source.length ? source.charCodeAt(at) : -1;
      const open = threads.toReversed();
      if (!best) open.unshift({ pc: 0, start: at });
      const next: typeof threads = [];
      for (let thread = open.pop(); thread; thread = open.pop()) {
        const { pc, start } = thread;
        if (seen[pc] === at || (best && start > best.start)) continue;
        seen[pc] = at;
        steps += 1;
        const instruction = program[pc];
        if (!instruction || instruction.op === "end") {
          if (at > start) best = { start, end: at };
        } else if (instruction.op === "split") {
          open.push({ pc: instruction.b, start }, { pc: instruction.a, start });
        } else if (instruction.op === "assert") {
          if (instruction.test(code, source, at)) open.push({ pc: pc + 1, start });
        } else if (code !== -1 && instruction.test(code, source, at)) {
          next.push({ pc: pc + 1, start });
        }
      }
      threads = best ? next.filter(({ start }) => start <= (best?.start ?? at)) : next;
      if (steps > maxSteps || (best && threads.length === 0)) return best;
    }
    return best;
  }
}
