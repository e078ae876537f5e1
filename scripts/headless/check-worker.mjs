// Checks values by JSON Schema, one after the other. Plain JavaScript, because a worker thread reads no TypeScript.
import { parentPort } from "node:worker_threads";
import { importCompiled } from "../compiled.mjs";

const { schemaCheck } = await importCompiled("src/engine/json-schema/schema-check.ts");
parentPort?.on("message", ({ schema, value }) => parentPort?.postMessage(schemaCheck(schema)(value), []));
parentPort?.postMessage("ready", []);
