import type { SchemaRequest } from "../../engine/agent/schema-verdict.ts";
import { schemaCheck } from "../../engine/agent/tool-arguments.ts";

/** Says that it is loaded, then answers each request with its verdict; the page ends the worker when that takes too long. */
addEventListener("message", ({ data }: MessageEvent<SchemaRequest>) => {
  postMessage(schemaCheck(data.schema)(data.value));
});

postMessage("ready");
