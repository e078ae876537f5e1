// Runs each request in a QuickJS of its own. Plain JavaScript, because a worker thread reads no TypeScript.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { importCompiled } from "./compiled.mjs";
import { serveRequests } from "./serve-requests.mjs";

const { loadQuickJs } = await importCompiled("src/host/sandbox/load-quickjs.ts");
const { runCode } = await importCompiled("src/host/sandbox/run-code.ts");
const wasm = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
const compiled = await WebAssembly.compile(await readFile(wasm));
serveRequests(
  (request, module) => runCode(module, request),
  ({ memoryBytes }) => loadQuickJs(memoryBytes, compiled),
);
