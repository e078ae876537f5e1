import type { Host } from "../host.ts";
import type { RunErrorData } from "../run/errors.ts";

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
