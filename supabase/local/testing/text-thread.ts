import { z } from "zod/mini";
import { openThread } from "../../../worker/runtime/open-thread.ts";
import { createTextReader, type TextReader } from "../../../src/state/knowledge/storage/readers/text-reader.ts";

const section = z.object({
  headings: z.array(z.string()),
  text: z.string(),
  metadata: z.optional(z.record(z.string(), z.json())),
  alone: z.optional(z.boolean()),
});
const answerSchema = z.union([
  z.object({ sections: z.array(section), title: z.optional(z.string()) }),
  z.object({ failure: z.string(), hint: z.string() }),
]);

const script = new URL("./text-worker.mjs", import.meta.url);

/** Reads texts in a worker thread of Node, as the studio does in one of the browser. */
export function textReaderInThread(deadlineMs?: number): TextReader {
  return createTextReader(() => openThread(script, answerSchema), deadlineMs);
}
