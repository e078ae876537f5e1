import { Worker } from "node:worker_threads";
import { z } from "zod/mini";
import type { CodeRequest, Host } from "../../src/engine/host.ts";
import { superviseCode, type CodeWorker } from "../../src/host/sandbox/supervise-code.ts";

const resultSchema = z.union([
  z.object({ ok: z.literal(true), output: z.json(), logs: z.array(z.string()) }),
  z.object({ ok: z.literal(false), error: z.string(), logs: z.array(z.string()) }),
]);

function startThread(request: CodeRequest): CodeWorker {
  const worker = new Worker(new URL("./code-worker.mjs", import.meta.url), { workerData: request });
  return {
    listen(onResult, onFailure) {
      worker.once("message", (result: unknown) => onResult(resultSchema.parse(result)));
      worker.once("error", (error: Error) => onFailure(`The sandbox could not start: ${error.message}`));
    },
    terminate: () => void worker.terminate(),
  };
}

/** `Host.runCode` in a worker thread of its own. Rejects only with the signal's reason; then the thread is gone. */
export const runCodeInThread: Host["runCode"] = (request, signal) =>
  superviseCode(() => startThread(request), request, signal);
