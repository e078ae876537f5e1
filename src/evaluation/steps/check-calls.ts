import type { RunErrorData } from "../../engine/errors.ts";
import { createSpendingLimit, watchedLimit } from "../../engine/spending/spending-limit.ts";
import type { CheckableCall } from "./checkable-calls.ts";
import { type Sample, sampleCall, type SampleOptions } from "./sample-call.ts";

/** What checking the calls of a run needs. */
export interface CheckOptions extends SampleOptions {
  calls: readonly CheckableCall[];
  /** How often each call is made again. */
  trials: number;
  /** US dollars: no call is begun once they are spent. */
  maxCostUsd?: number;
  /** Told of each answer as it comes. */
  onSample(callId: string, sample: Sample): void;
}

/** Why no more calls were made. */
export type CheckEnd = "complete" | "stopped" | "budget";

const concurrency = 2;

const noRoom: RunErrorData = {
  code: "budget",
  message: "The next request could exceed the limit, so it was not made.",
  hint: "Raise the limit, or set Max tokens on the model node so that less is booked for a request.",
  retryable: false,
};

/** Makes each call again, all of them once before any of them twice, so that what is there when it is stopped says something. */
export async function checkCalls(options: CheckOptions): Promise<CheckEnd> {
  const { calls, trials, maxCostUsd, signal } = options;
  const limit =
    maxCostUsd === undefined ? undefined : createSpendingLimit({ maxUsd: maxCostUsd, refusal: () => noRoom });
  const budget = limit && watchedLimit(limit);
  const host = budget ? { ...options.host, spending: budget } : options.host;
  const open = Array.from({ length: trials }, () => calls.map(({ callId }) => callId)).flat();
  let isSpent = false;
  const work = async (): Promise<void> => {
    while (!signal.aborted && !isSpent) {
      const callId = open.shift();
      if (callId === undefined) return;
      const sample = await sampleCall(callId, { ...options, host });
      if (!sample) continue;
      isSpent ||= limit !== undefined && limit.spentUsd >= limit.maxUsd;
      if (!sample.ok && sample.error.code === "budget" && budget?.hasRefused) {
        isSpent = true;
        open.unshift(callId);
        return;
      }
      options.onSample(callId, sample);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (signal.aborted) return "stopped";
  return open.length > 0 ? "budget" : "complete";
}
