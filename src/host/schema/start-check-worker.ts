import type { SchemaVerdict } from "../../engine/agent/schema-verdict.ts";
import type { CheckThread } from "./check-in-thread.ts";

/** The browser's thread for checks by JSON Schema. Rejects when it cannot be loaded. */
export function startCheckWorker(): Promise<CheckThread> {
  const worker = new Worker(new URL("./check-worker.ts", import.meta.url), { type: "module" });
  let answered: (verdict: SchemaVerdict) => void = () => {};
  let failed = () => {};
  const thread: CheckThread = {
    listen(onVerdict, onFailure) {
      [answered, failed] = [onVerdict, onFailure];
    },
    send: (request) => worker.postMessage(request, []),
    terminate: () => worker.terminate(),
  };
  return new Promise((resolve, reject) => {
    failed = () => {
      worker.terminate();
      reject(new Error("The worker could not be loaded."));
    };
    worker.addEventListener("error", () => failed());
    worker.addEventListener("message", ({ data }: MessageEvent<SchemaVerdict | "ready">) => {
      if (data === "ready") resolve(thread);
      else answered(data);
    });
  });
}
