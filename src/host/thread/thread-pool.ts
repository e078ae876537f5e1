import { onAbort } from "../../engine/time/on-abort.ts";
import type { WorkThread } from "./work-thread.ts";

/** What a request, or each part of it that its thread says to start, may take; and what is answered instead where it takes more. */
export interface WorkLimits<Answer> {
  deadlineMs: number;
  /** The deadline has passed. */
  tooLong: Answer;
  /** The thread ended by itself, as it does without memory. */
  failed: Answer;
  notStarted: Answer;
}

export interface PoolOptions<Request, Answer> {
  start(): Promise<WorkThread<Request, Answer>>;
  limitsOf(request: Request): WorkLimits<Answer>;
  /** Whether the thread that gave this answer must not be used again. */
  isLast?(answer: Answer): boolean;
  /** Threads at once. */
  maxThreads: number;
  /** Threads at once for one owner; `maxThreads` when absent. */
  maxThreadsPerOwner?: number;
}

/** Does a request within its limits, in a thread that works for this owner alone. Rejects only with the signal's reason. */
export type BoundedWork<Request, Answer> = (request: Request, signal: AbortSignal, owner?: string) => Promise<Answer>;

/** A thread without work is ended after this long: it holds memory. */
const idleMs = 20_000;

interface Job<Request, Answer> {
  request: Request;
  owner: string;
  resolve(answer: Answer): void;
}

/** A thread of one owner. Without `thread` it is starting, with `job` it works, otherwise it is idle. */
interface Place<Request, Answer> {
  owner: string;
  thread?: WorkThread<Request, Answer>;
  job?: Job<Request, Answer> | undefined;
  timer?: ReturnType<typeof setTimeout> | undefined;
}

/**
 * A few threads that are started when they are needed, work on one request after the other, and end when they are idle. A thread
 * ends at once when its request takes too long, needs too much or is aborted. Requests wait for a thread in the order in which they
 * came; neither this nor the start of a thread counts towards their deadline. An owner without a thread goes before one that has some.
 */
export function threadPool<Request, Answer>(options: PoolOptions<Request, Answer>): BoundedWork<Request, Answer> {
  const { start, limitsOf, isLast, maxThreads, maxThreadsPerOwner = maxThreads } = options;
  const queue: Job<Request, Answer>[] = [];
  const places = new Set<Place<Request, Answer>>();

  const placesOf = (owner: string) => [...places].filter((place) => place.owner === owner);
  const isIdle = ({ thread, job }: Place<Request, Answer>) => thread !== undefined && job === undefined;

  function end(place: Place<Request, Answer>): void {
    clearTimeout(place.timer);
    place.thread?.terminate();
    places.delete(place);
  }

  function takeJob(owner: string): Job<Request, Answer> | undefined {
    const index = queue.findIndex((job) => job.owner === owner);
    return index < 0 ? undefined : queue.splice(index, 1)[0];
  }

  /** Gives idle threads work, and starts threads for what still waits. */
  function serve(): void {
    for (const place of places) if (isIdle(place)) giveWork(place);
    const owners = [...new Set(queue.map(({ owner }) => owner))];
    const isServed = (owner: string) => Number(placesOf(owner).length > 0);
    for (const owner of owners.toSorted((a, b) => isServed(a) - isServed(b))) {
      while (needsThread(owner) && makeRoom()) void open(owner);
    }
  }

  function needsThread(owner: string): boolean {
    const own = placesOf(owner);
    const starting = own.filter(({ thread }) => thread === undefined).length;
    const waiting = queue.filter((job) => job.owner === owner).length;
    return own.length < maxThreadsPerOwner && starting < waiting;
  }

  /** Whether another thread may be started; the one that has been idle for longest ends for it. */
  function makeRoom(): boolean {
    if (places.size < maxThreads) return true;
    const idle = [...places].find(isIdle);
    if (idle) end(idle);
    return idle !== undefined;
  }

  async function open(owner: string): Promise<void> {
    const place: Place<Request, Answer> = { owner };
    places.add(place);
    const thread = await start().catch(() => undefined);
    if (thread === undefined) {
      places.delete(place);
      const job = takeJob(owner);
      job?.resolve(limitsOf(job.request).notStarted);
      serve();
      return;
    }
    place.thread = thread;
    thread.listen({
      onStarted() {
        if (!place.job) return;
        clearTimeout(place.timer);
        const { deadlineMs, tooLong } = limitsOf(place.job.request);
        place.timer = setTimeout(() => finish(place, tooLong, true), deadlineMs);
      },
      onAnswer: (answer) => finish(place, answer, isLast?.(answer) ?? false),
      onFailure: () => finish(place, place.job && limitsOf(place.job.request).failed, true),
    });
    rest(place);
    serve();
  }

  function giveWork(place: Place<Request, Answer>): void {
    const job = takeJob(place.owner);
    if (!job) return;
    clearTimeout(place.timer);
    place.job = job;
    place.thread?.send(job.request);
  }

  /** The thread is idle, last in the order of those that end for others, and ends by itself after a while. */
  function rest(place: Place<Request, Answer>): void {
    places.delete(place);
    places.add(place);
    place.timer = setTimeout(() => end(place), idleMs);
    // In Node a timer would keep the process alive.
    if (typeof place.timer === "object") place.timer.unref();
  }

  function finish(place: Place<Request, Answer>, answer: Answer | undefined, isOver: boolean): void {
    if (!places.has(place)) return;
    clearTimeout(place.timer);
    const { job } = place;
    place.job = undefined;
    const unserved = queue.find(({ owner }) => placesOf(owner).length === 0);
    if (isOver || (unserved && places.size >= maxThreads)) end(place);
    else rest(place);
    if (job && answer !== undefined) job.resolve(answer);
    serve();
  }

  return (request, signal, owner = "") =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const job: Job<Request, Answer> = {
        request,
        owner,
        resolve(answer) {
          unwatch();
          resolve(answer);
        },
      };
      const unwatch = onAbort(signal, () => {
        const place = [...places].find((each) => each.job === job);
        if (place) end(place);
        else if (queue.includes(job)) queue.splice(queue.indexOf(job), 1);
        reject(signal.reason);
        serve();
      });
      queue.push(job);
      serve();
    });
}
