// Makes a worker thread of Node answer requests, one after the other, as `openThread` expects it.
import { parentPort } from "node:worker_threads";

const tell = (message) => parentPort?.postMessage(message, []);

/** `prepare` makes what a request needs before its time starts to count; `work` is given what starts it anew, for its next part. */
export function serveRequests(work, prepare = () => undefined) {
  parentPort?.on("message", async (request) => {
    const prepared = await prepare(request);
    const start = () => tell({ kind: "started" });
    start();
    tell({ kind: "answer", answer: await work(request, prepared, start) });
  });
  tell({ kind: "ready" });
}
