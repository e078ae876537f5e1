import type { CodeRequest, CodeResult } from "../../engine/host.ts";

/** What the worker may take over the code's own limit (loading, answering) before it is ended from outside. */
const graceMs = 5_000;

/**
 * Runs code in a worker of its own, so that the page stays alive whatever the code does. Rejects only with the
 * signal's reason; then the worker is gone at once.
 */
export function runCodeInWorker(request: CodeRequest, signal: AbortSignal): Promise<CodeResult> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = new Worker(new URL("./code-worker.ts", import.meta.url), { type: "module" });
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      worker.terminate();
      settle();
    };
    const refuse = (error: string) => finish(() => resolve({ ok: false, error, logs: [] }));
    const abort = () => finish(() => reject(signal.reason));
    const timer = setTimeout(
      () => refuse(`The code was stopped: it ran longer than ${request.timeoutMs} ms.`),
      request.timeoutMs + graceMs,
    );
    signal.addEventListener("abort", abort, { once: true });
    worker.addEventListener("message", (event: MessageEvent<CodeResult>) => finish(() => resolve(event.data)));
    worker.addEventListener("error", () => refuse("The sandbox could not start. Reload the page and try again."));
    worker.postMessage(request, []);
  });
}
