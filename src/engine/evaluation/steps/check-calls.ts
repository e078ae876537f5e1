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

/** Makes each call again, all of them once before any of them twice, so that what is there when it is stopped says something. */
export async function checkCalls(options: CheckOptions): Promise<CheckEnd> {
  const { calls, trials, maxCostUsd = Infinity, signal } = options;
  const open = Array.from({ length: trials }, () => calls.map(({ callId }) => callId)).flat();
  let spent = 0;
  const work = async (): Promise<void> => {
    while (!signal.aborted && spent < maxCostUsd) {
      const callId = open.shift();
      if (callId === undefined) return;
      const sample = await sampleCall(callId, options);
      if (!sample) continue;
      spent += sample.costUsd ?? 0;
      options.onSample(callId, sample);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (signal.aborted) return "stopped";
  return open.length > 0 ? "budget" : "complete";
}
