import { ServiceError } from "../../../../services/services.ts";
import { openWorker } from "../../../../host/thread/open-worker.ts";
import { type BoundedWork, threadPool, type WorkLimits } from "../../../../host/thread/thread-pool.ts";
import type { WorkThread } from "../../../../host/thread/work-thread.ts";
import type { ReadText, TextAnswer, TextKind } from "./read-structured.ts";

export interface TextRequest {
  kind: TextKind;
  text: string;
}

export type TextThread = WorkThread<TextRequest, TextAnswer>;

/** What a text says. Rejects with a ServiceError where it cannot be read, or with the signal's reason. */
export type TextReader = (request: TextRequest, signal: AbortSignal) => Promise<ReadText>;

const split = "Split it into several files, or add its text as plain text by pasting it.";

const limits = (deadlineMs: number): WorkLimits<TextAnswer> => ({
  deadlineMs,
  tooLong: {
    failure: `Reading the file took longer than ${deadlineMs / 1_000} s and was stopped.`,
    hint: `Part of it may be damaged. ${split}`,
  },
  failed: { failure: "Reading the file needed more memory than there is, and was stopped.", hint: split },
  notStarted: {
    failure: "The file reader could not be started.",
    hint: "Check your connection, reload the page and add the file again.",
  },
});

/** Reads texts in a thread, which is ended where one takes longer than `deadlineMs` or too much memory. */
export function createTextReader(start: () => Promise<TextThread>, deadlineMs = 20_000): TextReader {
  const read: BoundedWork<TextRequest, TextAnswer> = threadPool({
    start,
    limitsOf: () => limits(deadlineMs),
    maxThreads: 1,
  });
  return async (request, signal) => {
    const answer = await read(request, signal);
    if ("failure" in answer) throw new ServiceError("invalid", answer.failure, answer.hint);
    return answer;
  };
}

/** The browser's thread that reads texts. Rejects when it cannot be loaded. */
export function startTextWorker(): Promise<TextThread> {
  return openWorker(new Worker(new URL("./text-worker.ts", import.meta.url), { type: "module" }));
}
