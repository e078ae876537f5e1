import type { Host } from "../host.ts";

/** What became of a piece of work; `aborted` means by the outer signal. */
export type Settled<Value> =
  { kind: "done"; value: Value } | { kind: "threw"; error: unknown } | { kind: "timeout" } | { kind: "aborted" };

/** Resolves when the work settles or the signal aborts, whichever comes first. Never rejects. */
export function settleOrAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Settled<Value>> {
  return new Promise((resolve) => {
    const onAbort = () => resolve({ kind: "aborted" });
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    work.then(
      (value) => {
        signal.removeEventListener("abort", onAbort);
        resolve({ kind: "done", value });
      },
      (error: unknown) => {
        signal.removeEventListener("abort", onAbort);
        resolve({ kind: "threw", error });
      },
    );
  });
}

/**
 * Runs `work` for at most `limitMs` milliseconds. Its signal is aborted at the limit and with `parent`; work that
 * ignores its signal is left behind. Never rejects.
 */
export async function withTimeLimit<Value>(
  host: Host,
  parent: AbortSignal,
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Settled<Value>> {
  const inner = new AbortController();
  const timer = new AbortController();
  const onParentAbort = () => inner.abort(parent.reason);
  if (parent.aborted) return { kind: "aborted" };
  parent.addEventListener("abort", onParentAbort, { once: true });
  let timedOut = false;
  void host.sleep(limitMs, timer.signal).then(
    () => {
      timedOut = true;
      inner.abort(new Error("The time limit has passed."));
    },
    () => undefined,
  );
  const settled = await settleOrAbort(
    Promise.resolve().then(() => work(inner.signal)),
    inner.signal,
  );
  timer.abort();
  parent.removeEventListener("abort", onParentAbort);
  return settled.kind === "aborted" && timedOut ? { kind: "timeout" } : settled;
}
