import type { CodeResult } from "../../engine/host.ts";

/** What the code gave; `reachedLimit` where its time, memory or stack was not enough. */
export interface CodeOutcome {
  result: CodeResult;
  reachedLimit: boolean;
  /** Milliseconds that its timers waited, which took no time in the sandbox. */
  waitedMs: number;
}

/** What QuickJS calls it. */
export const outOfMemory = "out of memory";

/** What is said of code that took longer than it may. */
export function timeLimit(timeoutMs: number): string {
  return `The code was stopped: it ran longer than ${timeoutMs} ms.`;
}

/** Which limit an error of QuickJS is about, in plain words; undefined for any other error. */
export function limitReached(error: string, memoryBytes: number): string | undefined {
  if (error.includes(outOfMemory))
    return `The code needs more memory than the ${Math.round(memoryBytes / 1024 / 1024)} MB that it may use.`;
  return /stack overflow|Maximum call stack/i.test(error) ? "The code calls itself too deeply." : undefined;
}
