import ipaddr from "ipaddr.js";

/** How a try to sign in ended; `unknown` when the password was not judged. */
export type SignInOutcome = "right" | "wrong" | "unknown";

/** A try that may be made, to be ended by `end`; or how many milliseconds are left until one may. */
type SignInTry = { allowed: true; end(outcome: SignInOutcome): void } | { allowed: false; waitMs: number };

/** Slows down who guesses the password of an account, and nobody else. */
export interface SignInLimit {
  begin(address: string, account: string): SignInTry;
}

/** Wrong passwords that cost nothing, as people mistype. */
const FREE_TRIES = 5;
/** After the last free one, and doubled with each further one. */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** Without a wrong password for this long, all are forgotten. */
const REMEMBERED_MS = 60 * 60_000;
/** Address and account pairs that are remembered at most; then the oldest go. */
const MAX_REMEMBERED = 10_000;

interface Memory {
  wrong: number;
  /** Tries whose end is not known yet: they count as wrong, or many at once would all pass. */
  open: number;
  pausedUntil: number;
  lastAt: number;
}

/**
 * Counts wrong passwords by account and address together, so that a guesser elsewhere keeps nobody out, and the right password
 * works after the pause. `now` is in milliseconds.
 */
export function createSignInLimit(now: () => number = Date.now): SignInLimit {
  const remembered = new Map<string, Memory>();

  function recall(key: string): Memory {
    const known = remembered.get(key);
    remembered.delete(key);
    const isFresh = known !== undefined && (known.open > 0 || known.lastAt + REMEMBERED_MS > now());
    const memory = isFresh ? known : { wrong: 0, open: 0, pausedUntil: 0, lastAt: now() };
    for (const oldest of remembered.keys()) {
      if (remembered.size < MAX_REMEMBERED) break;
      remembered.delete(oldest);
    }
    // Last in the map's order: the latest used.
    remembered.set(key, memory);
    return memory;
  }

  return {
    begin(address, account) {
      const key = JSON.stringify([network(address), account.toLowerCase().slice(0, 320)]);
      const memory = recall(key);
      const waitMs = memory.pausedUntil - now();
      if (waitMs > 0) return { allowed: false, waitMs };
      if (memory.open > 0 && memory.wrong + memory.open >= FREE_TRIES) return { allowed: false, waitMs: 1_000 };
      memory.open += 1;
      return {
        allowed: true,
        end(outcome) {
          memory.open -= 1;
          memory.lastAt = now();
          if (outcome === "right") memory.wrong = 0;
          if (outcome !== "wrong") return;
          memory.wrong += 1;
          if (memory.wrong < FREE_TRIES) return;
          const pause = FIRST_PAUSE_MS * 2 ** (memory.wrong - FREE_TRIES);
          memory.pausedUntil = now() + Math.min(pause, LONGEST_PAUSE_MS);
        },
      };
    },
  };
}

/** One machine has many IPv6 addresses, so its network of 64 bits counts. */
function network(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv4" ? parsed.toString() : parsed.toByteArray().slice(0, 8).join(".");
}
