import { AsyncLocalStorage } from "node:async_hooks";

const quiet = new AsyncLocalStorage<true>();
let isInstalled = false;

/**
 * Runs a task whose console.error and console.warn say nothing. The API library prints every refused statement with a
 * stack and the row's values, which would put users' data into the terminal; callers get the same error as an answer.
 */
export function withoutConsole<Result>(task: () => Promise<Result>): Promise<Result> {
  install();
  return quiet.run(true, task);
}

function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  for (const level of ["error", "warn"] as const) {
    const print = console[level];
    console[level] = (...values: unknown[]) => {
      if (!quiet.getStore()) print(...values);
    };
  }
}
