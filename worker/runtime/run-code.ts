import { availableParallelism } from "node:os";
import { z } from "zod/mini";
import { codeThreads, createCodeRunner } from "../../src/host/sandbox/code-pool.ts";
import { openThread } from "./open-thread.ts";

const outcomeSchema = z.object({
  result: z.union([
    z.object({
      ok: z.literal(true),
      output: z.json(),
      logs: z.array(z.string()),
      made: z.optional(
        z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            mediaType: z.string(),
            bytes: z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
          }),
        ),
      ),
    }),
    z.object({ ok: z.literal(false), error: z.string(), logs: z.array(z.string()) }),
  ]),
  reachedLimit: z.boolean(),
  waitedMs: z.number(),
});

/** For all owners together, on a process that serves many: code that loops should delay nobody else's. */
const maxThreads = 16;

const script = new URL("./code-worker.mjs", import.meta.url);

/** `Host.runCode` in worker threads, none of which serves two owners. */
export const runCodeInThread = createCodeRunner(() => openThread(script, outcomeSchema), {
  maxThreads,
  maxThreadsPerOwner: codeThreads(availableParallelism()),
});
