import { z } from "zod";
import { failure, success, type Outcome } from "./failure.ts";
import type { SupabaseClient } from "./supabase-client.ts";

/** How much one user may do with one function. Counted in Postgres, so that it holds across instances. */
export type RateLimit = {
  bucket: string;
  perMinute: number;
  /** Most calls that may be open at once. */
  concurrent: number;
  /** Seconds after which a call that never ended is forgotten. */
  slotSeconds: number;
};

/** A place among a user's open calls. `leave` gives it back and may be called more than once. */
export type Slot = { leave(): Promise<void> };

const SLOT_RETRY_SECONDS = 2;

const waitSchema = z.number().int().nonnegative();
const slotSchema = z.uuid().nullable();

/**
 * Takes one call from a user's allowance. Fails with `rate_limit` and the seconds to wait. Rejects when the counters
 * cannot be reached, so that a call never passes uncounted.
 */
export async function enterRateLimit(
  supabase: SupabaseClient,
  userId: string,
  limit: RateLimit,
): Promise<Outcome<Slot> & { retryAfter?: number }> {
  const wait = waitSchema.parse(
    await supabase.callAsService("studio_take_rate_limit", {
      p_owner: userId,
      p_bucket: limit.bucket,
      p_per_minute: limit.perMinute,
    }),
  );
  if (wait > 0) {
    const message = `You made more than ${limit.perMinute} calls in a minute.`;
    return { ...failure("rate_limit", message, `Wait ${wait} seconds and try again.`), retryAfter: wait };
  }
  const slot = slotSchema.parse(
    await supabase.callAsService("studio_enter_slot", {
      p_owner: userId,
      p_bucket: limit.bucket,
      p_max: limit.concurrent,
      p_ttl_seconds: limit.slotSeconds,
    }),
  );
  if (slot === null) {
    const message = `More than ${limit.concurrent} of your calls are open at once.`;
    const hint = "Wait for some to end, or lower the number of tool calls that run in parallel.";
    return { ...failure("rate_limit", message, hint), retryAfter: SLOT_RETRY_SECONDS };
  }
  let left: Promise<void> | null = null;
  return success({
    leave: () => (left ??= supabase.callAsService("studio_leave_slot", { p_slot: slot }).then(() => undefined)),
  });
}
