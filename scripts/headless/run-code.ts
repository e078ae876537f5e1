import { Worker } from "node:worker_threads";
import { z } from "zod";
import type { Host } from "../../src/engine/host.ts";

/** What the worker may take over the code's own limit (loading, answering) before it is ended from outside. */
const graceMs = 5_000;

const resultSchema = z.union([
  z.object({ ok: z.literal(true), output: z.json(), logs: z.array(z.string()) }),
  z.object({ ok: z.literal(false), error: z.string(), logs: z.array(z.string()) }),
]);

/** `Host.runCode` in a worker thread of its own. Rejects only with the signal's reason; then the thread is gone. */
export const runCodeInThread: Host["runCode"] = (request, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = new Worker(new URL("./code-worker.mjs", import.meta.url), { workerData: request });
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      void worker.terminate();
      settle();
    };
    const refuse = (error: string) => finish(() => resolve({ ok: false, error, logs: [] }));
    const abort = () => finish(() => reject(signal.reason));
    const timer = setTimeout(
      () => refuse(`The code was stopped: it ran longer than ${request.timeoutMs} ms.`),
      request.timeoutMs + graceMs,
    );
    signal.addEventListener("abort", abort, { once: true });
    worker.once("message", (result: unknown) => finish(() => resolve(resultSchema.parse(result))));
    worker.once("error", (error: Error) => refuse(`The sandbox could not start: ${error.message}`));
  });
