/** Counts what each of many may do a few times within a while. */
export interface AttemptCounts {
  /** Milliseconds until `key` may go on; 0 when it may now, and was counted. */
  count(key: string): number;
}

/** How many keys are remembered; with all places taken, a new one waits until the oldest count no more. */
const mostKeys = 10_000;

export function createAttemptCounts(options: {
  most: number;
  withinMs: number;
  now?: (() => number) | undefined;
}): AttemptCounts {
  const { most, withinMs, now = Date.now } = options;
  const recent = new Map<string, number[]>();
  return {
    count(key) {
      for (const [known, times] of recent) {
        const counted = times.filter((time) => time + withinMs > now());
        if (counted.length === 0) recent.delete(known);
        else recent.set(known, counted);
      }
      const times = recent.get(key) ?? [];
      if (times.length >= most) return (times[0] ?? now()) + withinMs - now();
      if (times.length === 0 && recent.size >= mostKeys) return withinMs;
      recent.set(key, [...times, now()]);
      return 0;
    },
  };
}
