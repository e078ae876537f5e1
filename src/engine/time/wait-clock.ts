/** Measures how long something has waited for people. Overlapping waits count once. */
export interface WaitClock {
  /** Waits, and counts the time. */
  during<Value>(wait: () => Promise<Value>): Promise<Value>;
  /** The total of the waits that have ended, in milliseconds. */
  waitedMs(): number;
}

/** A clock at zero; `now` in milliseconds. */
export function createWaitClock(now: () => number): WaitClock {
  let open = 0;
  let since = 0;
  let total = 0;
  return {
    async during(wait) {
      if (open === 0) since = now();
      open += 1;
      try {
        return await wait();
      } finally {
        open -= 1;
        if (open === 0) total += now() - since;
      }
    },
    waitedMs: () => total,
  };
}
