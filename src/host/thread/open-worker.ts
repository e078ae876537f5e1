import type { WorkThread } from "./work-in-thread.ts";

/** A worker of the browser as a thread, once it has said "ready". Rejects when it cannot be loaded. */
export function openWorker<Request, Answer>(worker: Worker): Promise<WorkThread<Request, Answer>> {
  let answered: (answer: Answer) => void = () => {};
  let failed = () => {};
  const thread: WorkThread<Request, Answer> = {
    listen(onAnswer, onFailure) {
      [answered, failed] = [onAnswer, onFailure];
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
    worker.addEventListener("message", ({ data }: MessageEvent<Answer | "ready">) => {
      if (data === "ready") resolve(thread);
      else answered(data);
    });
  });
}
