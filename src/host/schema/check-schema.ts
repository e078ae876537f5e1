import type { SchemaRequest, SchemaVerdict } from "../../engine/json-schema/schema-verdict.ts";
import { openWorker } from "../thread/open-worker.ts";
import { type BoundedWork, threadPool, type WorkLimits } from "../thread/thread-pool.ts";
import type { WorkThread } from "../thread/work-thread.ts";

const deadlineMs = 3_000;

const limits: WorkLimits<SchemaVerdict> = {
  deadlineMs,
  tooLong: {
    ok: false,
    reason: `Checking this against the schema took longer than ${deadlineMs / 1_000} s and was stopped. Send smaller or simpler arguments; where every call ends so, the schema has to become simpler.`,
  },
  failed: {
    ok: false,
    reason:
      "Checking this against the schema needed more memory than it may have, and was stopped. Send smaller or simpler arguments.",
  },
  notStarted: {
    ok: false,
    reason: "The schema check could not be started. Try again; if it does not help, reload the page.",
  },
};

export type CheckThread = WorkThread<SchemaRequest, SchemaVerdict>;

/** `Host.checkSchema` by one thread for each owner, and `maxThreads` at once. */
export function createSchemaChecker(
  start: () => Promise<CheckThread>,
  maxThreads = 1,
): BoundedWork<SchemaRequest, SchemaVerdict> {
  return threadPool({ start, limitsOf: () => limits, maxThreads, maxThreadsPerOwner: 1 });
}

/** The browser's thread for checks by JSON Schema. Rejects when it cannot be loaded. */
export function startCheckWorker(): Promise<CheckThread> {
  return openWorker(new Worker(new URL("./check-worker.ts", import.meta.url), { type: "module" }));
}
