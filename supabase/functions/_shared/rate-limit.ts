import { z } from "zod";
import { failure, success, type Outcome } from "./failure.ts";
import { type SupabaseClient, SupabaseError } from "./supabase-client.ts";

/** How much one user may do with one function. Counted in Postgres, so that it holds across instances. */
export type RateLimit = {
  bucket: string;
  perMinute: number;
  /** Most calls that may be open at once. */
  concurrent: number;
  /** Seconds after which a call that never ended is forgotten. */
  slotSeconds: number;
};

/**
 * What runs on workers may do, counted apart from what their owner does in the browser, so that neither takes the other's. It
 * is more, since many runs go on at once; publications have limits of their own.
 */
export function ofWorkers(limit: RateLimit): RateLimit {
  const { bucket, perMinute, concurrent } = limit;
  return { ...limit, bucket: `${bucket} worker`, perMinute: perMinute * 10, concurrent: concurrent * 5 };
}

/** A place among a user's open calls. `leave` gives it back and may be called more than once. */
type Slot = { leave(): Promise<void> };

const SLOT_RETRY_SECONDS = 2;
const MOST_ATTEMPTS_TO_LEAVE = 5;

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
  const whose = { p_owner: userId, p_bucket: limit.bucket };
  const [waited, entered] = await Promise.all([
    supabase.callAsService("studio_take_rate_limit", { ...whose, p_per_minute: limit.perMinute }),
    supabase.callAsService("studio_enter_slot", {
      ...whose,
      p_max: limit.concurrent,
      p_ttl_seconds: limit.slotSeconds,
    }),
  ]);
  const wait = waitSchema.parse(waited);
  const slot = slotSchema.parse(entered);
  const leave = () => leaveSlot(supabase, slot);
  if (wait > 0) {
    if (slot !== null) await leave();
    const message = `You made more than ${limit.perMinute} calls in a minute.`;
    return { ...failure("rate_limit", message, `Wait ${wait} seconds and try again.`), retryAfter: wait };
  }
  if (slot === null) {
    const message = `More than ${limit.concurrent} of your calls are open at once.`;
    const hint = "Wait for some to end, or lower the number of tool calls that run in parallel.";
    return { ...failure("rate_limit", message, hint), retryAfter: SLOT_RETRY_SECONDS };
  }
  let left: Promise<void> | null = null;
  return success({ leave: () => (left ??= leave()) });
}

/** A place that is not given back counts until it is forgotten, so a database that restarts is waited for. */
async function leaveSlot(supabase: SupabaseClient, slot: string | null): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await supabase.callAsService("studio_leave_slot", { p_slot: slot });
      return;
    } catch (error) {
      if (!(error instanceof SupabaseError) || error.status !== 503 || attempt === MOST_ATTEMPTS_TO_LEAVE) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 1_000));
    }
  }
}
