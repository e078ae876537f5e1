import type { SchemaRequest } from "../../engine/json-schema/schema-verdict.ts";
import { schemaCheck } from "../../engine/json-schema/schema-check.ts";

/** Says that it is loaded, then answers each request with its verdict; the page ends the worker when that takes too long. */
addEventListener("message", ({ data }: MessageEvent<SchemaRequest>) => {
  postMessage(schemaCheck(data.schema)(data.value));
});

postMessage("ready");
