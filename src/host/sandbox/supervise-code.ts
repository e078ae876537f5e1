import type { CodeRequest, CodeResult } from "../../engine/host.ts";

/** What the worker may take over the code's own limit (loading, answering) before it is ended from outside. */
const graceMs = 5_000;

/** A worker that runs one piece of code and then tells one of both. */
export interface CodeWorker {
  /** `onResult` gets what the code gave, `onFailure` words for a worker that could not start. */
  listen(onResult: (result: CodeResult) => void, onFailure: (error: string) => void): void;
  terminate(): void;
}

/**
 * The result of code that a worker of its own runs, or that it ran for too long. Rejects only with the signal's reason;
 * whatever comes, the worker is gone then.
 */
export function superviseCode(
  start: () => CodeWorker,
  { timeoutMs }: Pick<CodeRequest, "timeoutMs">,
  signal: AbortSignal,
): Promise<CodeResult> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = start();
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      worker.terminate();
      settle();
    };
    const refuse = (error: string) => finish(() => resolve({ ok: false, error, logs: [] }));
    const abort = () => finish(() => reject(signal.reason));
    const timer = setTimeout(
      () => refuse(`The code was stopped: it ran longer than ${timeoutMs} ms.`),
      timeoutMs + graceMs,
    );
    signal.addEventListener("abort", abort, { once: true });
    worker.listen((result) => finish(() => resolve(result)), refuse);
  });
}
