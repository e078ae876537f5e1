import type { CodeRequest, CodeResult } from "../../engine/host.ts";
import { onAbort } from "../../engine/time/on-abort.ts";
import { openWorker } from "../thread/open-worker.ts";
import { type BoundedWork, threadPool, type WorkLimits } from "../thread/thread-pool.ts";
import type { WorkThread } from "../thread/work-thread.ts";
import { type CodeOutcome, timeLimit } from "./code-outcome.ts";

/** What the thread may take over the code's own limit before it is ended from outside. */
const graceMs = 5_000;

/** Fewer would let one endless loop hold up all other code; more of them only share the processor. */
const minThreads = 2;
const maxThreads = 4;

export type CodeThread = WorkThread<CodeRequest, CodeOutcome>;

/** How many threads run the code of one person on a machine with so many processor cores. */
export function codeThreads(cores: number): number {
  return Math.min(Math.max(cores, minThreads), maxThreads);
}

/**
 * `Host.runCode` by a few threads, each of which works for one owner. A thread whose code reached a limit is ended, and so is
 * one whose code was cancelled.
 */
export function createCodeRunner(
  start: () => Promise<CodeThread>,
  threads: { maxThreads: number; maxThreadsPerOwner?: number },
): BoundedWork<CodeRequest, CodeResult> {
  const run = threadPool<CodeRequest, CodeOutcome>({
    start,
    limitsOf,
    isLast: ({ reachedLimit }) => reachedLimit,
    ...threads,
  });
  return async (request, signal, owner) => {
    const { result, waitedMs } = await run(request, signal, owner);
    if (waitedMs > 0) await passTime(waitedMs, signal);
    return result;
  };
}

/** What comes after code that waited comes as much later. The thread is free meanwhile. */
function passTime(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stopWatching();
      resolve();
    }, ms);
    const stopWatching = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

function limitsOf({ timeoutMs }: CodeRequest): WorkLimits<CodeOutcome> {
  const refused = (error: string): CodeOutcome => ({
    result: { ok: false, error, logs: [] },
    reachedLimit: true,
    waitedMs: 0,
  });
  return {
    deadlineMs: timeoutMs + graceMs,
    tooLong: refused(timeLimit(timeoutMs)),
    failed: refused("The code needed more memory than there is, and was stopped."),
    notStarted: refused("The sandbox could not start. Try again; in a browser, reload the page first."),
  };
}

/** The browser's threads for code: it runs in workers, so that the page stays alive whatever it does. */
export const runCodeInWorker = createCodeRunner(
  () => openWorker(new Worker(new URL("./code-worker.ts", import.meta.url), { type: "module" })),
  { maxThreads: codeThreads(globalThis.navigator?.hardwareConcurrency ?? minThreads) },
);
