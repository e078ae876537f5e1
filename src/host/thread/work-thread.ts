/**
 * What a thread says: once that it is ready, and for each request that its work starts and then its answer. What a
 * thread loads for a request comes before "started". Work of several parts, such as pages, says so of each.
 */
export type ThreadMessage<Answer> = { kind: "ready" } | { kind: "started" } | { kind: "answer"; answer: Answer };

/** What is told of a thread. */
export interface ThreadListener<Answer> {
  onStarted(): void;
  onAnswer(answer: Answer): void;
  /** The thread ended by itself, or cannot go on. */
  onFailure(): void;
}

/** A thread that is ready and works on one request after the other. */
export interface WorkThread<Request, Answer> {
  listen(listener: ThreadListener<Answer>): void;
  send(request: Request): void;
  terminate(): void;
}

/** Tells the listener what a thread said. */
export function tellListener<Answer>(listener: ThreadListener<Answer>, message: ThreadMessage<Answer>): void {
  switch (message.kind) {
    case "ready":
      return;
    case "started":
      listener.onStarted();
      return;
    case "answer":
      listener.onAnswer(message.answer);
      return;
    default:
      message satisfies never;
  }
}

/** A listener for a thread that nobody listens to yet. */
export const nobodyListens: ThreadListener<unknown> = {
  onStarted: () => undefined,
  onAnswer: () => undefined,
  onFailure: () => undefined,
};
