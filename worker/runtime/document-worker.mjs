// Reads and makes files. Plain JavaScript, because a worker thread reads no TypeScript.
import { importCompiled } from "./compiled.mjs";
import { serveRequests } from "./serve-requests.mjs";

const { doWork, pageReader } = await importCompiled("worker/runtime/document-thread.ts");
serveRequests((work, _prepared, start) => doWork(work, pageReader(start)));
