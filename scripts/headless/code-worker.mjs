// Runs one code request in a QuickJS module of its own and answers with its CodeResult. Plain JavaScript, because a worker
// thread reads no TypeScript.
import { parentPort, workerData } from "node:worker_threads";
import { importCompiled } from "../compiled.mjs";

const { loadQuickJs } = await importCompiled("src/host/sandbox/load-quickjs.ts");
const { runCode } = await importCompiled("src/host/sandbox/run-code.ts");
const result = runCode(await loadQuickJs(), workerData);
parentPort?.postMessage(result, []);
