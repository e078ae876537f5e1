export interface Stopwatch {
  /** Aborts with an error whose message is `cancelled` or `timeout`. */
  signal: AbortSignal;
  /** What aborted the signal; `null` while nothing has. */
  reason(): "cancelled" | "timeout" | null;
  /** Starts the time over, in milliseconds. */
  restart(milliseconds: number): void;
  /** Lets go of timer and caller. Does not abort. */
  stop(): void;
}

/** One signal for both ways in which a call can be stopped from outside: its caller and its time. */
export function startStopwatch(milliseconds: number, caller: AbortSignal | undefined): Stopwatch {
  const controller = new AbortController();
  let reason: "cancelled" | "timeout" | null = null;
  const abort = (why: "cancelled" | "timeout"): void => {
    if (reason !== null) return;
    reason = why;
    controller.abort(new Error(why));
  };
  const cancel = (): void => abort("cancelled");
  let timer = setTimeout(() => abort("timeout"), milliseconds);
  if (caller?.aborted === true) cancel();
  caller?.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    reason: () => reason,
    restart(next) {
      clearTimeout(timer);
      timer = setTimeout(() => abort("timeout"), next);
    },
    stop() {
      clearTimeout(timer);
      caller?.removeEventListener("abort", cancel);
    },
  };
}
