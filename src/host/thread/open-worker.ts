import {
  nobodyListens,
  tellListener,
  type ThreadListener,
  type ThreadMessage,
  type WorkThread,
} from "./work-thread.ts";

/** A worker of the browser as a thread, once it is ready. Rejects when it cannot be loaded. */
export function openWorker<Request, Answer>(worker: Worker): Promise<WorkThread<Request, Answer>> {
  let listener: ThreadListener<Answer> = nobodyListens;
  const thread: WorkThread<Request, Answer> = {
    listen: (next) => (listener = next),
    send: (request) => worker.postMessage(request, []),
    terminate: () => worker.terminate(),
  };
  return new Promise((resolve, reject) => {
    worker.addEventListener("error", () => {
      worker.terminate();
      listener.onFailure();
      reject(new Error("The worker could not be loaded."));
    });
    worker.addEventListener("message", ({ data }: MessageEvent<ThreadMessage<Answer>>) => {
      if (data.kind === "ready") resolve(thread);
      else tellListener(listener, data);
    });
  });
}
