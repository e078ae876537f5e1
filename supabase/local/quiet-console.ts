import { AsyncLocalStorage } from "node:async_hooks";

const manner = new AsyncLocalStorage<"quiet" | "one line">();
let isInstalled = false;

/**
 * Runs a task whose console.error and console.warn say nothing. The API library prints every refused statement with a
 * stack and the row's values, which would put users' data into the terminal; callers get the same error as an answer.
 */
export function withoutConsole<Result>(task: () => Promise<Result>): Promise<Result> {
  install();
  return manner.run("quiet", task);
}

/**
 * Runs a task that prints the error of an answer that broke off in one line: the HTTP adapter prints it with its stack and the
 * whole socket, which says no more to whoever reads the terminal.
 */
export function withErrorsInOneLine<Result>(task: () => Result): Result {
  install();
  return manner.run("one line", task);
}

function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  for (const level of ["error", "warn"] as const) {
    const print = console[level];
    console[level] = (...values: unknown[]) => {
      const now = manner.getStore();
      if (now === "quiet") return;
      const [error] = values;
      if (now === "one line" && error instanceof Error) print(`An answer broke off: ${error.message}`);
      else print(...values);
    };
  }
}
