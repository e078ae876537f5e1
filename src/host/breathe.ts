/** Work of one task before the page gets a turn, in milliseconds: well below what a person notices. */
const sliceMs = 12;

/**
 * Makes a host's `breathe`: undefined while the current task is young, then a promise that resolves in the next one, after
 * the browser had its chance to draw and to answer. All who ask within one task wait for the same next one.
 */
export function createBreather(options: { now(): number; nextTask(callback: () => void): void }) {
  let startedAt: number | undefined;
  let wake: (() => void) | undefined;
  let next: Promise<void> | undefined;

  const onNextTask = () => {
    const resume = wake;
    startedAt = undefined;
    next = undefined;
    wake = undefined;
    resume?.();
  };

  return (): Promise<void> | undefined => {
    if (startedAt === undefined) {
      startedAt = options.now();
      options.nextTask(onNextTask);
      return undefined;
    }
    if (next === undefined && options.now() - startedAt < sliceMs) return undefined;
    next ??= new Promise((resolve) => {
      wake = resolve;
    });
    return next;
  };
}
