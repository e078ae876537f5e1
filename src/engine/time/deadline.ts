import type { Host } from "../host.ts";
import { RunError } from "../errors.ts";
import { onAbort } from "./on-abort.ts";

/** A time limit that can be paused while a person is asked. */
export interface Deadline {
  /** Aborted at the limit with a RunError of code `timeout`, or with the caller's signal (its RunError, or `cancelled`). */
  signal: AbortSignal;
  /** Milliseconds left. */
  remaining(): number;
  /** Pauses the limit while `work` runs; calls may overlap. */
  pausedWhile<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Stops the timer; the signal keeps its state. */
  stop(): void;
}

/** A prepared reason: without one, every abort creates an exception with a stack trace. */
const over = new Error("The limit is no longer needed.");

/** Work that finishes within this many turns of the microtask queue, such as a calculation, needs no timer. */
const quickTurns = 20;

function cancelled(): RunError {
  return new RunError({ code: "cancelled", message: "The run was stopped.", hint: "Run it again when you are ready." });
}

function timedOut(who: string, limitMs: number): RunError {
  return new RunError({
    code: "timeout",
    message: `${who} did not finish within its time limit of ${limitMs / 1000} s.`,
    hint: "Raise the time limit, or give it less to do.",
  });
}

/**
 * Starts a limit of `limitMs` milliseconds (none where that is `Infinity`) below `parent`; `who` begins its message. Call `stop`
 * when the work is done.
 * `onOver` is called when the signal is aborted, at less cost than a listener: making the signal is left to who reads it.
 */
export function startDeadline(
  host: Host,
  parent: AbortSignal,
  limitMs: number,
  who: string,
  onOver?: () => void,
): Deadline {
  const controller = new AbortController();
  function end(reason: RunError): void {
    controller.abort(reason);
    onOver?.();
  }
  const unwatch = onAbort(parent, () => end(parent.reason instanceof RunError ? parent.reason : cancelled()));

  let left = limitMs;
  let since = host.now();
  let pauses = 0;
  let timer: AbortController | undefined;
  let stopped = false;

  function watch(): void {
    since = host.now();
    if (left === Infinity) return;
    timer = new AbortController();
    void host.sleep(left, timer.signal).then(
      () => end(timedOut(who, limitMs)),
      () => undefined,
    );
  }
  function halt(): void {
    left = Math.max(0, left - (host.now() - since));
    timer?.abort(over);
  }
  async function watchUnlessQuick(): Promise<void> {
    for (let turn = 0; turn < quickTurns; turn += 1) await undefined;
    if (!stopped && pauses === 0 && !timer) watch();
  }
  void watchUnlessQuick();

  return {
    get signal() {
      return controller.signal;
    },
    remaining: () => (pauses > 0 ? left : Math.max(0, left - (host.now() - since))),
    async pausedWhile(work) {
      if (pauses++ === 0) halt();
      try {
        return await work();
      } finally {
        if (--pauses === 0 && !stopped) watch();
      }
    },
    stop() {
      stopped = true;
      timer?.abort(over);
      unwatch();
    },
  };
}

/** How a piece of work ended; `aborted` means by the outer signal. */
export type Settled<Value> =
  | { kind: "done"; value: Value }
  | { kind: "threw"; error: unknown }
  | { kind: "timeout" }
  | { kind: "aborted" };

/** Resolves when the work settles or the signal aborts, whichever comes first. Never rejects. */
export function settleOrAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Settled<Value>> {
  return new Promise((resolve) => {
    const unwatch = onAbort(signal, () => resolve({ kind: "aborted" }));
    work.then(
      (value) => {
        unwatch();
        resolve({ kind: "done", value });
      },
      (error: unknown) => {
        unwatch();
        resolve({ kind: "threw", error });
      },
    );
  });
}

/**
 * Runs `work` for at most `limitMs` milliseconds. The signal of its deadline is aborted at the limit and with `parent`;
 * work that ignores the signal is abandoned. Never rejects.
 */
export function withTimeLimit<Value>(
  host: Host,
  parent: AbortSignal,
  limitMs: number,
  work: (deadline: Deadline) => Promise<Value>,
): Promise<Settled<Value>> {
  if (parent.aborted) return Promise.resolve({ kind: "aborted" });
  return new Promise((resolve) => {
    const settle = (settled: Settled<Value>) => {
      deadline.stop();
      resolve(settled);
    };
    const over = () => settle({ kind: parent.aborted ? "aborted" : "timeout" });
    const deadline = startDeadline(host, parent, limitMs, "The call", over);
    Promise.resolve(deadline)
      .then(work)
      .then(
        (value) => settle({ kind: "done", value }),
        (error: unknown) => settle({ kind: "threw", error }),
      );
  });
}
