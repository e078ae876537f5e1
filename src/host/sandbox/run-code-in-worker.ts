import type { CodeRequest, CodeResult } from "../../engine/host.ts";
import { superviseCode, type CodeWorker } from "./supervise-code.ts";

function startWorker(request: CodeRequest): CodeWorker {
  const worker = new Worker(new URL("./code-worker.ts", import.meta.url), { type: "module" });
  return {
    listen(onResult, onFailure) {
      worker.addEventListener("message", (event: MessageEvent<CodeResult>) => onResult(event.data));
      worker.addEventListener("error", () => onFailure("The sandbox could not start. Reload the page and try again."));
      worker.postMessage(request, []);
    },
    terminate: () => worker.terminate(),
  };
}

/**
 * Runs code in a worker of its own, so that the page stays alive whatever the code does. Rejects only with the
 * signal's reason; then the worker is gone at once.
 */
export function runCodeInWorker(request: CodeRequest, signal: AbortSignal): Promise<CodeResult> {
  return superviseCode(() => startWorker(request), request, signal);
}
