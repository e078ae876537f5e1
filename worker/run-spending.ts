import { setTimeout as sleep } from "node:timers/promises";
import type { RunErrorData } from "../src/engine/errors.ts";
import type { EventOf, RunEvent } from "../src/engine/run/events.ts";
import { cutCallUsd } from "../src/engine/spending/call-cost.ts";
import type { CallCost, Reservation, SpendingLimit } from "../src/engine/spending/spending-limit.ts";
import type { BookAnswer, HeldRun, RunQueue } from "./run-queue.ts";

interface SpendingOptions {
  queue: Pick<RunQueue, "book" | "checkUnknownPrices">;
  run: HeldRun;
  /** The log of earlier attempts. */
  before: readonly RunEvent[];
  /** A limit has no room for a call: the run ends. */
  onRefused(error: RunErrorData): void;
  /** Another attempt has the run. */
  onFenced(): void;
}

/** A run without a limit in money is looked at again after this long, since its owner may have set one. */
const freeMs = 10_000;

/** For how long a call waits for others that have booked what is left, and how often it looks, in milliseconds. */
const maxWaitMs = 60_000;
const firstPauseMs = 100;
const maxPauseMs = 1_000;

const never = new Promise<never>(() => {});

/**
 * The money of a run: what its settled calls have cost, and what is booked in the database for those under way, which stands
 * against the limits of its workflow and its key for the runs of all workers.
 */
export class RunSpending implements SpendingLimit {
  private readonly options: SpendingOptions;
  private readonly underWay = new Set<{ usd: number }>();
  private spent: number;
  private freeUntil = 0;
  private queue: Promise<unknown> = Promise.resolve();
  private isTold: boolean;

  constructor(options: SpendingOptions) {
    this.options = options;
    this.spent = spentBefore(options.before, Date.now());
    // What an attempt that broke off had booked is told with the first word of this one.
    this.isTold = options.before.length === 0;
  }

  /** US dollars of all attempts, without calls under way. */
  get spentUsd(): number {
    return this.spent;
  }

  async reserve(cost: CallCost | null, signal: AbortSignal): Promise<Reservation> {
    if (cost === null) return this.reserveUnknown();
    if (Date.now() < this.freeUntil) return this.counted({ usd: 0 }, Infinity);
    const until = Date.now() + maxWaitMs;
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
      signal.throwIfAborted();
      const booking = { usd: 0 };
      const answer = await this.inTurn(() => this.book(cost, booking));
      switch (answer.state) {
        case "fenced":
          this.options.onFenced();
          return never;
        case "free":
          this.freeUntil = Date.now() + freeMs;
          return this.counted(booking, Infinity);
        case "ok":
          return this.counted(booking, answer.usd);
        case "full":
          return this.refused(fullError(answer));
        case "busy":
          if (Date.now() >= until) return this.refused(busyError);
          await sleep(pause, undefined, { signal });
          break;
        default:
          return answer satisfies never;
      }
    }
  }

  /** Calls that a resumed run is served from its log are counted from there. */
  count(): void {}

  /** Resolves when the database knows what is spent and booked. */
  async settled(): Promise<void> {
    if (!this.isTold) this.tell();
    await this.queue;
  }

  private async book({ minUsd, maxUsd }: CallCost, booking: { usd: number }): Promise<BookAnswer> {
    const answer = await this.options.queue.book(this.options.run, this.spent, this.booked(), { minUsd, maxUsd });
    if (answer.state === "ok") {
      booking.usd = answer.usd;
      this.underWay.add(booking);
    }
    return answer;
  }

  private counted(booking: { usd: number }, usd: number): Reservation {
    return {
      ok: true,
      usd,
      settle: (cost) => {
        this.spent += cost;
        if (!this.underWay.delete(booking)) return;
        this.isTold = false;
        this.tell();
      },
    };
  }

  private async reserveUnknown(): Promise<Reservation> {
    const { limited, allowed } = await this.options.queue.checkUnknownPrices(this.options.run, []);
    if (limited && !allowed) return { ok: false, error: unknownPricesError([]) };
    return { ok: true, usd: Infinity, ...(limited ? { isUncounted: true } : {}), settle: () => undefined };
  }

  private refused(error: RunErrorData): Reservation {
    this.options.onRefused(error);
    return { ok: false, error };
  }

  private booked(): number {
    let sum = 0;
    for (const { usd } of this.underWay) sum += usd;
    return sum;
  }

  /** Tells the database what is settled: several settlements that wait go as one. */
  private tell(): void {
    void this.inTurn(async () => {
      if (this.isTold) return;
      this.isTold = true;
      await this.options.queue.book(this.options.run, this.spent, this.booked(), null);
    }).catch(() => (this.isTold = false));
  }

  /** Sums are told in the order in which they were true. */
  private inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.queue.then(work, work);
    this.queue = done.catch(() => undefined);
    return done;
  }
}

/**
 * What the earlier attempts of a run have spent. A call without an answer may have been answered for nobody: it counts as one that
 * was cut when the run was resumed, or is now.
 */
export function spentBefore(events: readonly RunEvent[], now: number): number {
  const open = new Map<string, EventOf<"model-request">>();
  let spent = 0;
  const cut = (until: number) => {
    for (const { booked, at } of open.values()) spent += booked ? cutCallUsd(booked, until - at) : 0;
    open.clear();
  };
  for (const event of events) {
    if (event.replayed) continue;
    if (event.type === "model-request") open.set(event.callId, event);
    else if (event.type === "embedding" || event.type === "transcription" || event.type === "rerank")
      spent += event.costUsd ?? 0;
    else if (event.type === "run-resume") cut(event.at);
    else if (event.type === "model-response") {
      const booked = open.get(event.callId)?.booked;
      open.delete(event.callId);
      spent += event.costUsd ?? (booked ? cutCallUsd(booked, event.durationMs) : 0);
    }
  }
  cut(now);
  return spent;
}

const capNames = {
  run: "one run",
  day: "one day (UTC)",
  month: "one month (UTC)",
  keyDay: "one day (UTC) of the API key",
  keyMonth: "one month (UTC) of the API key",
} as const;

/** Why a run ends whose next call could pass a spending limit. */
function fullError({ cap, capUsd }: Extract<BookAnswer, { state: "full" }>): RunErrorData {
  const isOfKey = cap === "keyDay" || cap === "keyMonth";
  return {
    code: "budget",
    message: `The next model call could exceed the spending limit of $${capUsd} for ${capNames[cap]}, so it was not made.`,
    hint: isOfKey
      ? "Use another API key, or wait until the period is over."
      : "Raise the limit in the workflow's publishing settings, or wait until the period is over.",
    retryable: false,
  };
}

const busyError: RunErrorData = {
  code: "budget",
  message: "Other calls have booked what is left of a spending limit, and a minute was not enough for them to end.",
  hint: "Set Max tokens on the model nodes, so that less is booked for a call, or raise the limit.",
  retryable: true,
};

/** Why a version is not run under a spending limit that has models without a known price. */
export function unknownPricesError(models: readonly string[]): RunErrorData {
  const what = models.length === 0 ? "a model" : models.join(", ");
  return {
    code: "budget",
    message: `The price of ${what} is not known, so the spending limit could not hold.`,
    hint: "Enter the price on the node that uses it (0 for a server of your own), then publish the workflow again.",
    retryable: false,
  };
}
