import type { Caller } from "./authenticate.ts";
import { type AdmittedCall, beginCall, type Refusal } from "./begin-call.ts";
import type { HeldCredential } from "./credential-store.ts";
import { success, type Outcome } from "./failure.ts";
import { createOpenPlaces, type UncountedCalls } from "./open-places.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { SupabaseClient } from "./supabase-client.ts";

/** A call that was let in. */
interface BegunCall {
  held: HeldCredential | null;
  /** Hands what the database said on to the next such call. */
  keep(): void;
  /** Gives the place back, or hands it on; may be called more than once. Resolves when nothing is left to be done for it. */
  leave(): Promise<void>;
}

/**
 * Lets calls in: by asking the database, or on what it said to the same user in the same session about the same credential a
 * moment ago, when a call with that has ended. So the calls of an agent, one after the other, ask once in four seconds.
 */
export interface Admissions {
  /** `credential`: the id of the one that is asked for. `access`: what the gateway says in `accessHeader`, which ends what was said before. */
  begin(
    caller: Caller,
    limit: RateLimit,
    call: { credential: string | null; access: string | null },
  ): Promise<Outcome<BegunCall> | Refusal>;
}

/** Without a gateway, a deleted credential, an ended session and a banned user are refused after this time at the latest. */
const rememberedMs = 4_000;
const mostKept = 500;

/** What the database said, and to which calls of one user it applies. */
interface Admission extends Pick<AdmittedCall, "place" | "held"> {
  key: string;
  /** The user and the kind of call, which share an allowance and places. */
  kind: string;
  /** Until when another call may be let in on it. */
  until: number;
}

interface KeptAdmission extends Admission {
  /** Ends its time in waiting. */
  taken(): void;
  giveBack(): void;
}

/** What is left to a user of one kind of call in this minute, and what the database has to hear of it. */
interface Allowance {
  owner: string;
  bucket: string;
  left: number;
  uncounted: number;
  until: number;
}

export function createAdmissions(supabase: Pick<SupabaseClient, "callAsService">, now = Date.now): Admissions {
  const kept = new Map<string, KeptAdmission>();
  const allowances = new Map<string, Allowance>();
  const places = createOpenPlaces(supabase, takeUncounted);

  function takeUncounted(): UncountedCalls[] {
    const taken: UncountedCalls[] = [];
    for (const [key, allowance] of allowances) {
      const { owner, bucket, uncounted: calls, until } = allowance;
      if (calls > 0) taken.push({ owner, bucket, calls });
      allowance.uncounted = 0;
      if (until <= now()) allowances.delete(key);
    }
    return taken;
  }

  function begun(admission: Admission): BegunCall {
    let isKept = false;
    let left: Promise<void> | null = null;
    return {
      held: admission.held,
      keep: () => (isKept = true),
      leave: () => (left ??= isKept ? handOn(admission) : places.leave(admission.place)),
    };
  }

  /** Resolves when another call has taken it over, or the database has got its place back. */
  function handOn(admission: Admission): Promise<void> {
    const { key, place, until } = admission;
    const remaining = until - now();
    if (remaining <= 0 || kept.has(key) || kept.size >= mostKept) return places.leave(place);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        kept.delete(key);
      };
      const giveBack = (): void => {
        end();
        places.leave(place).then(resolve, reject);
      };
      const timer = setTimeout(giveBack, remaining);
      const taken = (): void => {
        end();
        resolve();
      };
      kept.set(key, { ...admission, taken, giveBack });
    });
  }

  /** Gives back the places that wait for a call of this kind with another credential; tells whether there were any. */
  function giveBackKept(kind: string): boolean {
    const waiting = [...kept.values()].filter((one) => one.kind === kind);
    for (const one of waiting) one.giveBack();
    return waiting.length > 0;
  }

  const admissions: Admissions = {
    async begin(caller, limit, { credential, access }) {
      const { userId: owner, sessionId } = caller;
      const { bucket } = limit;
      const kind = `${owner} ${bucket}`;
      const key = `${kind} ${sessionId} ${credential} ${access}`;
      const allowance = allowances.get(kind);
      const known = kept.get(key);
      if (known && allowance && known.until > now() && allowance.left > 0) {
        known.taken();
        allowance.left -= 1;
        allowance.uncounted += 1;
        return success(begun(known));
      }

      const askedAt = now();
      const ended = places.take();
      const uncounted = allowance?.uncounted ?? 0;
      if (allowance) allowance.uncounted = 0;
      const asked = await beginCall(supabase, caller, limit, credential, { ended, uncounted }).catch(
        (error: unknown) => {
          if (allowance) allowance.uncounted += uncounted;
          places.putBack(ended);
          throw error;
        },
      );
      if (!asked.ok) {
        if (allowance) allowance.left = 0;
        // Places that nobody uses take none away.
        return giveBackKept(kind) ? admissions.begin(caller, limit, { credential, access }) : asked;
      }
      const until = askedAt + rememberedMs;
      // Calls that were let in meanwhile are not in what the database says.
      const since = allowances.get(kind)?.uncounted ?? 0;
      const left = (asked.value.left ?? 0) - since;
      allowances.set(kind, { owner, bucket, left, uncounted: since, until });
      return success(begun({ ...asked.value, key, kind, until }));
    },
  };
  return admissions;
}
