// Reads texts. Plain JavaScript, because a worker thread reads no TypeScript.
import { importCompiled } from "../../../scripts/compiled.mjs";
import { serveRequests } from "../../../scripts/headless/serve-requests.mjs";

const { readStructured } = await importCompiled("src/host/knowledge/readers/read-structured.ts");
serveRequests(({ kind, text }) => readStructured(kind, text));
