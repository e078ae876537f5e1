import type { SchemaRequest, SchemaVerdict } from "../../engine/agent/schema-verdict.ts";
import type { Host } from "../../engine/host.ts";

/** What a check may take once its thread stands. */
const deadlineMs = 3_000;
/** A thread without work is ended after this long: it holds memory. */
const idleMs = 20_000;

/** A thread that checks one value after the other. */
export interface CheckThread {
  /** `onVerdict` gets the answer to what was sent, `onFailure` is told of a thread that cannot go on. */
  listen(onVerdict: (verdict: SchemaVerdict) => void, onFailure: () => void): void;
  send(request: SchemaRequest): void;
  terminate(): void;
}

const tooLong: SchemaVerdict = {
  ok: false,
  reason: `Checking this against the schema took longer than ${deadlineMs / 1_000} s and was stopped. Send smaller or simpler arguments; where every call ends so, the schema has to become simpler.`,
};

const failed: SchemaVerdict = {
  ok: false,
  reason:
    "Checking this against the schema needed more memory than it may have, and was stopped. Send smaller or simpler arguments.",
};

const notStarted: SchemaVerdict = {
  ok: false,
  reason: "What checks this against its schema could not be started. Try again; if it does not help, reload the page.",
};

/**
 * `Host.checkSchema` by a thread that is started when it is needed and ended when a check takes too long, needs too much or is
 * aborted. Checks wait for each other; each has its own deadline, which begins with its turn.
 */
export function createSchemaChecker(start: () => Promise<CheckThread>): NonNullable<Host["checkSchema"]> {
  let thread: CheckThread | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: ReturnType<typeof setTimeout> | undefined;

  const end = () => {
    clearTimeout(idle);
    thread?.terminate();
    thread = undefined;
  };

  const check = async (request: SchemaRequest, signal: AbortSignal): Promise<SchemaVerdict> => {
    signal.throwIfAborted();
    clearTimeout(idle);
    thread ??= await start().catch(() => undefined);
    return thread === undefined ? notStarted : checkIn(thread, request, signal);
  };

  const checkIn = (worker: CheckThread, request: SchemaRequest, signal: AbortSignal) =>
    new Promise<SchemaVerdict>((resolve, reject) => {
      signal.throwIfAborted();
      const settle = (work: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        work();
      };
      const stop = (verdict: SchemaVerdict) =>
        settle(() => {
          end();
          resolve(verdict);
        });
      const abort = () =>
        settle(() => {
          end();
          reject(signal.reason);
        });
      const timer = setTimeout(() => stop(tooLong), deadlineMs);
      signal.addEventListener("abort", abort, { once: true });
      worker.listen(
        (verdict) =>
          settle(() => {
            idle = setTimeout(end, idleMs);
            // In Node a timer would keep the process alive.
            if (typeof idle === "object") idle.unref();
            resolve(verdict);
          }),
        () => stop(failed),
      );
      worker.send(request);
    });

  return (request, signal) => {
    const turn = last.then(() => check(request, signal));
    last = turn.catch(() => undefined);
    return turn;
  };
}
