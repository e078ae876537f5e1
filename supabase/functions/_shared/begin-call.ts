import { z } from "zod/mini";
import type { Caller } from "./authenticate.ts";
import { credentialRowSchema, type HeldCredential, sealedSchema } from "./credential-store.ts";
import { failure, success, type Failure, type Outcome } from "./failure.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { SupabaseClient } from "./supabase-client.ts";

/** A call that the database has let in. */
export interface AdmittedCall {
  /** Its place among the user's open calls, to be given back. */
  place: string;
  /** How many more calls of this kind the user may begin in this minute; null where the database does not say. */
  left: number | null;
  /** Null where the caller has no such credential, or none was named. */
  held: HeldCredential | null;
}

export interface Refusal {
  ok: false;
  error: Failure;
  status?: number;
  retryAfter?: number;
}

const slotRetrySeconds = 2;

const heldSchema = z.pipe(
  z.looseObject({
    iv: z.nullable(z.string()),
    ciphertext: z.nullable(z.string()),
    secret_key_version: z.nullable(z.number()),
  }),
  z.transform((found): HeldCredential => {
    const { iv, ciphertext, secret_key_version: keyVersion } = found;
    const sealed = iv === null ? null : sealedSchema.parse({ iv, ciphertext, key_version: keyVersion });
    return { row: credentialRowSchema.parse(found), sealed };
  }),
);

const answerSchema = z.union([
  z.object({ slot: z.uuid(), left: z.optional(z.int()), credential: z.nullable(heldSchema) }),
  z.object({ refused: z.literal("session") }),
  z.object({ refused: z.literal("rate"), wait: z.int().check(z.positive()) }),
  z.object({ refused: z.literal("places") }),
]);

/**
 * Checks in one round trip that the caller's session goes on, takes one call from their allowance, and reads the credential
 * with this id, if it is one. `told`: places of calls that have ended, and how many calls of this kind were let in without
 * being counted. Fails with `rate_limit` and the seconds to wait, or with status 401. Rejects when the database cannot be
 * reached, so that a call never passes uncounted.
 */
export async function beginCall(
  supabase: Pick<SupabaseClient, "callAsService">,
  caller: Caller,
  limit: RateLimit,
  credential: string | null,
  told: { ended: readonly string[]; uncounted: number },
): Promise<Outcome<AdmittedCall> | Refusal> {
  const answer = await supabase.callAsService("studio_begin_call", {
    p_owner: caller.userId,
    p_session: caller.sessionId,
    p_bucket: limit.bucket,
    p_per_minute: limit.perMinute,
    p_max: limit.concurrent,
    p_ttl_seconds: limit.slotSeconds,
    p_leave: told.ended,
    p_credential: z.uuid().safeParse(credential).data ?? null,
    ...(told.uncounted > 0 && { p_uncounted: told.uncounted }),
  });
  const begun = answerSchema.parse(answer);
  if ("refused" in begun) return refusal(begun, limit);
  return success({ place: begun.slot, left: begun.left ?? null, held: begun.credential });
}

/** The refusal of whoever is no user of this project, or not any more. */
export function signedOut(): Refusal {
  const message = "You are not signed in, or your session has ended.";
  return { ...failure("invalid_credentials", message, "Sign in and try again."), status: 401 };
}

function refusal(
  refused: Extract<z.infer<typeof answerSchema>, { refused: string }>,
  { perMinute, concurrent }: RateLimit,
): Refusal {
  switch (refused.refused) {
    case "session":
      return signedOut();
    case "rate": {
      const message = `You made more than ${perMinute} calls in a minute.`;
      const { error } = failure("rate_limit", message, `Wait ${refused.wait} seconds and try again.`);
      return { ok: false, error, retryAfter: refused.wait };
    }
    case "places": {
      const message = `More than ${concurrent} of your calls are open at once.`;
      const hint = "Wait for some to end, or lower the number of tool calls that run in parallel.";
      return { ...failure("rate_limit", message, hint), retryAfter: slotRetrySeconds };
    }
    default:
      return refused satisfies never;
  }
}
