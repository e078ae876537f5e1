import { retryDelay } from "../time/backoff.ts";
import type { Host } from "../host.ts";
import { type Repeats, RunError, type RunErrorData } from "./errors.ts";

/** For whom work is made again. */
interface RepeatedWork {
  host: Host;
  signal: AbortSignal;
  repeats: Repeats;
  /** Told before each pause. */
  onRetry(retry: { attempt: number; maxAttempts: number; delayMs: number; error: RunErrorData }): void;
}

/**
 * Does the work, and does it again after a failure that another attempt can help, pausing longer each time. Rejects with the
 * last failure, and at once when the signal aborts.
 */
export async function repeatWork<Value>(
  { host, signal, repeats, onRetry }: RepeatedWork,
  work: () => Promise<Value> | Value,
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const again = error instanceof RunError && error.data.retryable && attempt <= repeats.retries;
      if (!again || signal.aborted) throw error;
      const delayMs = retryDelay(host, attempt, error.data, repeats.delayMs);
      onRetry({ attempt, maxAttempts: repeats.retries, delayMs, error: error.data });
      await host.sleep(delayMs, signal);
    }
  }
}
