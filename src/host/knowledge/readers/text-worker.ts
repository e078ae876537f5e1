import { readStructured } from "./read-structured.ts";
import type { TextRequest } from "./text-reader.ts";

/** Says that it is loaded, then answers each request; the page ends the worker when that takes too long. */
addEventListener("message", ({ data }: MessageEvent<TextRequest>) => {
  postMessage(readStructured(data.kind, data.text));
});

postMessage("ready");
