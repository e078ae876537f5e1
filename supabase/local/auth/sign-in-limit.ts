import { createHmac, randomBytes } from "node:crypto";
import ipaddr from "ipaddr.js";

/** How a try to sign in ended; `unknown` when the password was not judged. */
export type SignInOutcome = "right" | "wrong" | "unknown";

/** A try that may be made, to be ended by `end`; or how many milliseconds are left until one may. */
type SignInTry = { allowed: true; end(outcome: SignInOutcome): void } | { allowed: false; waitMs: number };

/** Slows down who guesses passwords, and nobody else. */
export interface SignInLimit {
  begin(address: string, account: string): SignInTry;
}

/** How many wrong passwords cost nothing, as people mistype, and how long the pauses grow after them. */
interface Allowance {
  free: number;
  longestPauseMs: number;
}

/** One account from one network. */
const guessing: Allowance = { free: 5, longestPauseMs: 15 * 60_000 };
/** One network, whatever the accounts; some people share one. */
const spraying: Allowance = { free: 30, longestPauseMs: 60_000 };
/** One account from anywhere but networks that its owner has signed in from. */
const swarming: Allowance = { free: 100, longestPauseMs: 60_000 };

/** After the last free one, and doubled with each further one. */
const firstPauseMs = 30_000;
/** Without a wrong password for this long, all are forgotten. */
const rememberedMs = 60 * 60_000;
/** Places for what is remembered. Two keys may share one, so that nobody is forgotten to make room for others. */
const placeCount = 65_536;

interface Memory {
  wrong: number;
  /** Tries whose end is not known yet: they count as wrong, or many at once would all pass. */
  open: number;
  pausedUntil: number;
  lastAt: number;
  /** Whether the right password came from here. */
  known: boolean;
}

/**
 * Counts wrong passwords by account and network together, so that a guesser elsewhere keeps nobody out; by network, so that
 * nobody tries a few on each of many accounts; and by account. `now` is in milliseconds.
 */
export function createSignInLimit(now: () => number = Date.now): SignInLimit {
  const secret = randomBytes(32);
  const places = new Map<number, Memory>();

  function recall(...key: string[]): Memory {
    const place = createHmac("sha256", secret).update(JSON.stringify(key)).digest().readUInt32BE(0) % placeCount;
    const found = places.get(place);
    if (found !== undefined && (found.open > 0 || found.lastAt + rememberedMs > now())) return found;
    const memory = { wrong: 0, open: 0, pausedUntil: 0, lastAt: now(), known: found?.known ?? false };
    places.set(place, memory);
    return memory;
  }

  return {
    begin(address, given) {
      const account = given.toLowerCase().slice(0, 320);
      const from = networkOf(address);
      const pair = recall("pair", from, account);
      const counted: [Memory, Allowance][] = [
        [pair, guessing],
        [recall("network", from), spraying],
      ];
      if (!pair.known) counted.push([recall("account", account), swarming]);
      const waitMs = Math.max(...counted.map(([memory, allowance]) => waitOf(memory, allowance, now())));
      if (waitMs > 0) return { allowed: false, waitMs };
      for (const [memory] of counted) memory.open += 1;
      return {
        allowed: true,
        end(outcome) {
          for (const [memory, allowance] of counted) close(memory, allowance, outcome, now());
          if (outcome !== "right") return;
          // The others stay: who guesses could clear them by signing in to an account of their own.
          pair.wrong = 0;
          pair.known = true;
        },
      };
    },
  };
}

function waitOf(memory: Memory, { free }: Allowance, now: number): number {
  if (memory.pausedUntil > now) return memory.pausedUntil - now;
  return memory.open > 0 && memory.wrong + memory.open >= free ? 1_000 : 0;
}

function close(memory: Memory, { free, longestPauseMs }: Allowance, outcome: SignInOutcome, now: number): void {
  memory.open -= 1;
  if (outcome !== "wrong") return;
  memory.lastAt = now;
  memory.wrong += 1;
  if (memory.wrong < free) return;
  memory.pausedUntil = now + Math.min(firstPauseMs * 2 ** (memory.wrong - free), longestPauseMs);
}

/** One machine has many IPv6 addresses, so its network of 64 bits counts. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv4" ? parsed.toString() : parsed.toByteArray().slice(0, 8).join(".");
}
