import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import type { SchemaVerdict } from "../../src/engine/agent/schema-verdict.ts";
import { type CheckThread, createSchemaChecker } from "../../src/host/schema/check-in-thread.ts";

const verdictSchema = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), reason: z.string() }),
]);

/** Megabytes of JavaScript values that a check may hold. */
const mostMemory = 256;

async function startThread(): Promise<CheckThread> {
  const worker = new Worker(new URL("./check-worker.mjs", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: mostMemory },
  });
  // Its first message says that it is loaded; a thread that ends before is an error.
  await once(worker, "message");
  let answered: (verdict: SchemaVerdict) => void = () => {};
  let failed = () => {};
  worker.on("message", (verdict: unknown) => {
    // A thread that waits for work keeps no process alive.
    worker.unref();
    answered(verdictSchema.parse(verdict));
  });
  worker.on("error", () => failed());
  return {
    listen(onVerdict, onFailure) {
      [answered, failed] = [onVerdict, onFailure];
    },
    send(request) {
      worker.ref();
      worker.postMessage(request, []);
    },
    terminate: () => void worker.terminate(),
  };
}

/** `Host.checkSchema` in a worker thread. */
export const checkSchemaInThread = createSchemaChecker(startThread);
