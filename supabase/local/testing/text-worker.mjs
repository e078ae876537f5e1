// Reads texts. Plain JavaScript, because a worker thread reads no TypeScript.
import { importCompiled } from "../../../worker/runtime/compiled.mjs";
import { serveRequests } from "../../../worker/runtime/serve-requests.mjs";

const { readStructured } = await importCompiled("src/state/knowledge/storage/readers/read-structured.ts");
serveRequests(({ kind, text }) => readStructured(kind, text));
