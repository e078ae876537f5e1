import type { Pattern } from "./compile-pattern.ts";

/** Where a match stands in a text: from `start` up to, not including, `end`. */
interface Match {
  start: number;
  end: number;
}

/** Steps of the matcher that one text may cost; some 50 million take a second. */
const maxSteps = 20_000_000;

/**
 * All matches of a pattern in a text: from the left, each as long as possible, none overlapping, none
 * empty. All possibilities are followed at once, so that no pattern can blow up; a text that would still cost too much
 * gives null.
 */
export function findMatches(text: string, { steps }: Pattern): Match[] | null {
  const matches: Match[] = [];
  let cost = 0;
  for (let from = 0; from < text.length;) {
    const found = nextMatch(text, from);
    if (cost > maxSteps) return null;
    if (!found) return matches;
    matches.push(found);
    from = found.end;
  }
  return matches;

  /** Threads carry where they began; the leftmost beginning wins, then the longest match. */
  function nextMatch(source: string, from: number): Match | undefined {
    const seen = new Int32Array(steps.length).fill(-1);
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
        cost += 1;
        const step = steps[pc];
        if (!step || step.op === "end") {
          if (at > start) best = { start, end: at };
        } else if (step.op === "split") {
          for (const to of step.to.toReversed()) open.push({ pc: to, start });
        } else if (step.op === "assert") {
          if (step.holds(source, at)) open.push({ pc: pc + 1, start });
        } else if (step.op === "save") {
          open.push({ pc: pc + 1, start });
        } else if (code !== -1 && step.test(code)) {
          next.push({ pc: pc + 1, start });
        }
      }
      threads = best ? next.filter(({ start }) => start <= (best?.start ?? at)) : next;
      if (cost > maxSteps || (best && threads.length === 0)) return best;
    }
    return best;
  }
}
