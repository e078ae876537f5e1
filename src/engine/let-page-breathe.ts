import { nextTask } from "./next-task.ts";

/** Milliseconds of work after which input and drawing get their turn. */
const sliceMs = 12;

/** Makes a function that, awaited often within long work, pauses it every few milliseconds, so that the page answers. */
export function letPageBreathe(): () => Promise<void> {
  let started = performance.now();
  return async () => {
    if (performance.now() - started < sliceMs) return;
    await new Promise<void>(nextTask);
    started = performance.now();
  };
}
