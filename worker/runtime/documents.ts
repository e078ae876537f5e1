import { z } from "zod/mini";
import { createDocuments, type DocumentsOptions } from "../../src/documents/documents.ts";
import type { DocumentAnswer } from "../../src/engine/file/documents.ts";
import { openThread } from "./open-thread.ts";

/** Its own thread says it: only its shape is looked at, since it may hold a hundred megabytes. */
const answerSchema = z.custom<DocumentAnswer>((value) => typeof value === "object" && value !== null && "ok" in value);

const script = new URL("./document-worker.mjs", import.meta.url);

/** `Host.documents` in worker threads of Node, none of which serves two owners. */
export function documentsInThreads(options: Partial<DocumentsOptions> = {}) {
  return createDocuments({
    start: () => openThread(script, answerSchema),
    maxThreads: 4,
    maxThreadsPerOwner: 2,
    ...options,
  });
}
