import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { WorkThread } from "../../src/host/thread/work-in-thread.ts";

/** Megabytes of JavaScript values that a thread may hold. */
const mostMemory = 256;

/** A worker thread of Node, once it has sent its first message. `parse` reads its answers. Rejects when it cannot be loaded. */
export async function openThread<Request, Answer>(
  script: URL,
  parse: (answer: unknown) => Answer,
): Promise<WorkThread<Request, Answer>> {
  const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: mostMemory } });
  await once(worker, "message");
  let answered: (answer: Answer) => void = () => {};
  let failed = () => {};
  worker.on("message", (answer: unknown) => {
    // A thread that waits for work keeps no process alive.
    worker.unref();
    answered(parse(answer));
  });
  worker.on("error", () => failed());
  return {
    listen(onAnswer, onFailure) {
      [answered, failed] = [onAnswer, onFailure];
    },
    send(request) {
      worker.ref();
      worker.postMessage(request, []);
    },
    terminate: () => void worker.terminate(),
  };
}
