import { Worker } from "node:worker_threads";
import { z } from "zod/mini";
import {
  nobodyListens,
  tellListener,
  type ThreadListener,
  type WorkThread,
} from "../../src/host/thread/work-thread.ts";

/** Megabytes of JavaScript values that a thread may hold. */
const maxMemory = 256;

/**
 * A worker thread of Node, once it is ready; `answer` reads its answers. Rejects when it cannot be loaded. A thread without work
 * keeps no process alive.
 */
export function openThread<Request, Answer>(
  script: URL,
  answer: z.ZodMiniType<Answer>,
): Promise<WorkThread<Request, Answer>> {
  const messageSchema = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("ready") }),
    z.object({ kind: z.literal("started") }),
    z.object({ kind: z.literal("answer"), answer }),
  ]);
  const worker = new Worker(script, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: maxMemory } });
  let listener: ThreadListener<Answer> = nobodyListens;
  const thread: WorkThread<Request, Answer> = {
    listen: (next) => (listener = next),
    send(request) {
      worker.ref();
      worker.postMessage(request, []);
    },
    terminate: () => void worker.terminate(),
  };
  return new Promise((resolve, reject) => {
    worker.on("error", (error) => {
      listener.onFailure();
      reject(error);
    });
    worker.on("message", (data: unknown) => {
      const message = messageSchema.parse(data);
      if (message.kind !== "started") worker.unref();
      if (message.kind === "ready") resolve(thread);
      else tellListener(listener, message);
    });
  });
}
