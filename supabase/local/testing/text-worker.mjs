// Reads texts, one after the other. Plain JavaScript, because a worker thread reads no TypeScript.
import { parentPort } from "node:worker_threads";
import { importCompiled } from "../../../scripts/compiled.mjs";

const { readStructured } = await importCompiled("src/host/knowledge/readers/read-structured.ts");
parentPort?.on("message", ({ kind, text }) => parentPort?.postMessage(readStructured(kind, text), []));
parentPort?.postMessage("ready", []);
