import type { ThreadMessage } from "./work-thread.ts";

/**
 * Makes a worker of the browser answer requests, one after the other, as `openWorker` expects it; the page ends the worker
 * when the work takes too long. `prepare` makes what a request needs before its time starts to count.
 */
export function serveRequests<Request, Answer>(work: (request: Request) => Answer | Promise<Answer>): void;
export function serveRequests<Request, Answer, Prepared>(
  work: (request: Request, prepared: Prepared) => Answer | Promise<Answer>,
  prepare: (request: Request) => Promise<Prepared>,
): void;
export function serveRequests<Request, Answer>(
  work: (request: Request, prepared: unknown) => Answer | Promise<Answer>,
  prepare: (request: Request) => Promise<unknown> = () => Promise.resolve(),
): void {
  const tell = (message: ThreadMessage<Answer>) => postMessage(message);
  const serve = async (request: Request) => {
    const prepared = await prepare(request);
    tell({ kind: "started" });
    tell({ kind: "answer", answer: await work(request, prepared) });
  };
  addEventListener("message", ({ data }: MessageEvent<Request>) => void serve(data).catch(reportError));
  tell({ kind: "ready" });
}
