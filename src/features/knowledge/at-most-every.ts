/** Calls `work` at once and then, however often it is asked for, at most every `ms` milliseconds; the last ask counts. */
export function atMostEvery(ms: number, work: () => void): { ask: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = false;
  function run(): void {
    asked = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (asked) run();
    }, ms);
    work();
  }
  return {
    ask() {
      asked = true;
      if (timer === undefined) run();
    },
    /** What was asked for meanwhile is done at once. */
    stop() {
      clearTimeout(timer);
      timer = undefined;
      if (asked) work();
      asked = false;
    },
  };
}
