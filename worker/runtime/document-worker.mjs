// Reads and makes files. Plain JavaScript, because a worker thread reads no TypeScript.
import { importCompiled } from "./compiled.mjs";
import { serveRequests } from "./serve-requests.mjs";

const { doWork, readPdfHere } = await importCompiled("worker/runtime/document-thread.ts");
serveRequests((work) => doWork(work, readPdfHere));
