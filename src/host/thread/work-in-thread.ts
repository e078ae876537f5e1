/** A thread that works on one request after the other. */
export interface WorkThread<Request, Answer> {
  /** `onAnswer` gets the answer to what was sent, `onFailure` is told of a thread that cannot go on. */
  listen(onAnswer: (answer: Answer) => void, onFailure: () => void): void;
  send(request: Request): void;
  terminate(): void;
}

/** What a request may take once its thread stands, and what is answered instead where it takes more. */
export interface WorkLimits<Answer> {
  deadlineMs: number;
  /** The deadline has passed. */
  tooLong: Answer;
  /** The thread ended by itself, as it does without memory. */
  failed: Answer;
  notStarted: Answer;
}

/** Does a request within its limits. Rejects only with the signal's reason. */
export type BoundedWork<Request, Answer> = (request: Request, signal: AbortSignal) => Promise<Answer>;

/** A thread without work is ended after this long: it holds memory. */
const idleMs = 20_000;

/**
 * Work in a thread that is started when it is needed and ended when a request takes too long, needs too much or is aborted.
 * Requests wait for each other; each has its own deadline, which begins with its turn.
 */
export function workInThread<Request, Answer>(
  start: () => Promise<WorkThread<Request, Answer>>,
  limits: WorkLimits<Answer>,
): BoundedWork<Request, Answer> {
  let thread: WorkThread<Request, Answer> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: ReturnType<typeof setTimeout> | undefined;

  const end = () => {
    clearTimeout(idle);
    thread?.terminate();
    thread = undefined;
  };

  const work = async (request: Request, signal: AbortSignal): Promise<Answer> => {
    signal.throwIfAborted();
    clearTimeout(idle);
    thread ??= await start().catch(() => undefined);
    return thread === undefined ? limits.notStarted : workIn(thread, request, signal);
  };

  const workIn = (worker: WorkThread<Request, Answer>, request: Request, signal: AbortSignal) =>
    new Promise<Answer>((resolve, reject) => {
      signal.throwIfAborted();
      const settle = (after: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        after();
      };
      const stop = (answer: Answer) =>
        settle(() => {
          end();
          resolve(answer);
        });
      const abort = () =>
        settle(() => {
          end();
          reject(signal.reason);
        });
      const timer = setTimeout(() => stop(limits.tooLong), limits.deadlineMs);
      signal.addEventListener("abort", abort, { once: true });
      worker.listen(
        (answer) =>
          settle(() => {
            idle = setTimeout(end, idleMs);
            // In Node a timer would keep the process alive.
            if (typeof idle === "object") idle.unref();
            resolve(answer);
          }),
        () => stop(limits.failed),
      );
      worker.send(request);
    });

  return (request, signal) => {
    const turn = last.then(() => work(request, signal));
    last = turn.catch(() => undefined);
    return turn;
  };
}
