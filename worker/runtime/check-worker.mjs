// Checks values by JSON Schema. Plain JavaScript, because a worker thread reads no TypeScript.
import { importCompiled } from "./compiled.mjs";
import { serveRequests } from "./serve-requests.mjs";

const { schemaCheck } = await importCompiled("src/engine/json-schema/schema-check.ts");
serveRequests(({ schema, value }) => schemaCheck(schema)(value));
