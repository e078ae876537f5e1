import type { Host } from "../host.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { onAbort } from "./on-abort.ts";

/** How a piece of work ended; `aborted` means by the outer signal. */
export type Settled<Value> =
  { kind: "done"; value: Value } | { kind: "threw"; error: unknown } | { kind: "timeout" } | { kind: "aborted" };

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
