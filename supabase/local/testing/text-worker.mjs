// Reads texts, one after the other. Plain JavaScript, because a worker thread starts without the TypeScript loader and has to
// bring it itself.
import { parentPort } from "node:worker_threads";
import { register } from "tsx/esm/api";

register();
const { readStructured } = await import("../../../src/host/knowledge/readers/read-structured.ts");
parentPort?.on("message", ({ kind, text }) => parentPort?.postMessage(readStructured(kind, text), []));
parentPort?.postMessage("ready", []);
