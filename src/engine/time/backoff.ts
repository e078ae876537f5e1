import type { Host } from "../host.ts";
import { type Repeats, RunError, type RunErrorData } from "../errors.ts";

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/** A number in [0, 1) from a fresh id, since chance too enters through the host. */
function chance(host: Host): number {
  const digits = Number.parseInt(host.newId().slice(0, 8), 16);
  return Number.isNaN(digits) ? 0.5 : digits / 2 ** 32;
}

/**
 * Milliseconds before attempt `attempt + 1` (`attempt` counts from 1): what the other side asked for, else doubling from
 * one second up to thirty with "equal jitter" (between half and all of it), so that many clients do not return at once.
 */
export function retryDelay(
  host: Host,
  attempt: number,
  error: Pick<RunErrorData, "retryAfterMs">,
  firstMs: number = firstDelayMs,
): number {
  if (error.retryAfterMs !== undefined) return Math.max(0, Math.round(error.retryAfterMs));
  const full = Math.min(Math.max(longestDelayMs, firstMs), firstMs * 2 ** (attempt - 1));
  return Math.round(full / 2 + (full / 2) * chance(host));
}

/** For whom work is made again. */
interface RepeatedWork {
  host: Host;
  signal: AbortSignal;
  repeats: Repeats;
  /** Told before each pause. */
  onRetry(retry: Retry): void;
}

/** Another attempt after the `attempt`-th one failed. */
export interface Retry {
  attempt: number;
  maxAttempts: number;
  delayMs: number;
  error: RunErrorData;
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
