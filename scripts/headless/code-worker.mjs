// Runs one code request in a QuickJS module of its own and answers with its CodeResult. Plain JavaScript, because a worker
// thread starts without the TypeScript loader and has to bring it itself.
import { parentPort, workerData } from "node:worker_threads";
import { register } from "tsx/esm/api";

register();
const { loadQuickJs } = await import("../../src/host/sandbox/load-quickjs.ts");
const { runCode } = await import("../../src/host/sandbox/run-code.ts");
const result = runCode(await loadQuickJs(), workerData);
parentPort?.postMessage(result, []);
