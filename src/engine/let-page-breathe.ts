import { nextTask } from "./next-task.ts";

/** Milliseconds of work after which input and drawing get their turn. */
const sliceMs = 12;

/**
 * Makes a function that, awaited often within long work, pauses it every few milliseconds, so that the page answers. `now`
 * gives milliseconds, whatever they count from.
 */
export function letPageBreathe(now: () => number): () => Promise<void> {
  let started = now();
  return async () => {
    if (now() - started < sliceMs) return;
    await new Promise<void>(nextTask);
    started = now();
  };
}
