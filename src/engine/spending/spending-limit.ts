import type { RunErrorData } from "../errors.ts";
import { onAbort } from "../time/on-abort.ts";

/** US dollars of one call: it is not made with less than `minUsd`, and costs no more than `maxUsd`. */
export interface CallCost {
  minUsd: number;
  maxUsd: number;
}

/**
 * What a limit says to a call before it is made. `usd` is what was booked for it: at least the call's `minUsd`, at most its
 * `maxUsd`, and infinite where nothing limits it. `isUncounted`: its price is not known, and it may be made nevertheless.
 * Every reservation is settled once, with what the call has cost.
 */
export type Reservation =
  | { ok: true; usd: number; isUncounted?: true; settle(usd: number): void }
  | { ok: false; error: RunErrorData };

/** US dollars that calls may spend together. A call is booked before it is made and settled after it. */
export interface SpendingLimit {
  /**
   * Books a call; `null` is a call whose price is not known. Waits where only calls that are under way stand against it.
   * Rejects with the signal's reason.
   */
  reserve(cost: CallCost | null, signal: AbortSignal): Promise<Reservation>;
  /** Counts what was spent without a reservation: by calls that are served from the record of an earlier attempt. */
  count(usd: number): void;
}

/** A limit that lives in this process. */
export interface LocalSpendingLimit extends SpendingLimit {
  readonly maxUsd: number;
  /** What settled calls have cost. */
  readonly spentUsd: number;
}

interface LocalLimitOptions {
  maxUsd: number;
  /** Why a call is not made that could exceed the limit. */
  refusal(spentUsd: number): RunErrorData;
}

/** Sums of dollars are compared with this much room, since adding and subtracting them rounds. */
export const roundingUsd = 1e-9;

/** Makes a limit for calls of this process, such as those of one agent or of one evaluation. */
export function createSpendingLimit({ maxUsd, refusal }: LocalLimitOptions): LocalSpendingLimit {
  let spent = 0;
  const underWay = new Set<{ usd: number }>();
  const waiting = new Set<() => void>();

  function reserved(): number {
    let sum = 0;
    for (const { usd } of underWay) sum += usd;
    return sum;
  }

  function settled(): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
    });
  }

  function book(usd: number): Reservation {
    const booking = { usd };
    underWay.add(booking);
    return {
      ok: true,
      usd,
      settle(cost) {
        if (!underWay.delete(booking)) return;
        spent += cost;
        for (const look of waiting) look();
      },
    };
  }

  return {
    maxUsd,
    get spentUsd() {
      return spent;
    },
    async reserve(cost, signal) {
      if (cost === null) return { ok: false, error: unknownPrice };
      for (;;) {
        signal.throwIfAborted();
        if (spent + cost.minUsd > maxUsd + roundingUsd) return { ok: false, error: refusal(spent) };
        const left = maxUsd - spent - reserved();
        if (left + roundingUsd >= cost.minUsd) return book(Math.max(cost.minUsd, Math.min(cost.maxUsd, left)));
        await orAborted(settled(), signal);
      }
    },
    count(usd) {
      spent += usd;
    },
  };
}

async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let unwatch: () => void = () => undefined;
  const aborted = new Promise<void>((resolve) => {
    unwatch = onAbort(signal, resolve);
  });
  await Promise.race([work, aborted]);
  unwatch();
}

const unknownPrice: RunErrorData = {
  code: "budget",
  message: "The price of a model is not known, so a spending limit could not hold. The call was not made.",
  hint: "Enter its price on the node that uses it: 0 for a server of your own.",
  retryable: false,
};

/** Why a call of this model is not made under a spending limit. */
export function unknownPriceError(model: string, nodeId: string | undefined): RunErrorData {
  return {
    ...unknownPrice,
    message: `The price of ${model} is not known, so a spending limit could not hold. The call was not made.`,
    ...(nodeId === undefined ? {} : { nodeId }),
  };
}

/**
 * Books a call with all limits, or with none of them: what one refuses is given back to the others. `usd` is what the
 * tightest gave. Limits that calls share are asked in the same order everywhere, from the innermost out.
 */
export async function reserveWithin(
  limits: readonly SpendingLimit[],
  cost: CallCost | null,
  signal: AbortSignal,
): Promise<Reservation> {
  const settlers: ((usd: number) => void)[] = [];
  const settle = (usd: number) => {
    for (const one of settlers.splice(0)) one(usd);
  };
  let maxUsd = cost?.maxUsd ?? Infinity;
  let isUncounted = false;
  let usd = Infinity;
  try {
    for (const limit of limits) {
      const given = await limit.reserve(cost && { minUsd: cost.minUsd, maxUsd }, signal);
      if (!given.ok) {
        settle(0);
        return given;
      }
      settlers.push(given.settle);
      isUncounted ||= given.isUncounted === true;
      usd = Math.min(usd, given.usd);
      maxUsd = Math.min(maxUsd, usd);
    }
  } catch (error) {
    settle(0);
    throw error;
  }
  return { ok: true, usd, settle, ...(isUncounted ? { isUncounted } : {}) };
}

/** Several limits as one. */
export function joinedLimit(limits: readonly SpendingLimit[]): SpendingLimit {
  return {
    reserve: (cost, signal) => reserveWithin(limits, cost, signal),
    count(usd) {
      for (const limit of limits) limit.count(usd);
    },
  };
}

/** The same limit, which tells whether it had no room for a call. */
export function watchedLimit(limit: SpendingLimit): SpendingLimit & { readonly hasRefused: boolean } {
  let hasRefused = false;
  return {
    get hasRefused() {
      return hasRefused;
    },
    async reserve(cost, signal) {
      const reservation = await limit.reserve(cost, signal);
      hasRefused ||= cost !== null && !reservation.ok;
      return reservation;
    },
    count: (usd) => limit.count(usd),
  };
}
