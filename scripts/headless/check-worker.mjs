// Checks values by JSON Schema, one after the other. Plain JavaScript, because a worker thread starts without the TypeScript
// loader and has to bring it itself.
import { parentPort } from "node:worker_threads";
import { register } from "tsx/esm/api";

register();
const { schemaCheck } = await import("../../src/engine/agent/tool-arguments.ts");
parentPort?.on("message", ({ schema, value }) => parentPort?.postMessage(schemaCheck(schema)(value), []));
parentPort?.postMessage("ready", []);
