import type { Host } from "../../../engine/host.ts";
import type { KnowledgeSources } from "../../../services/knowledge.ts";
import { createPendingSources } from "./pending-sources.ts";
import { createSourceReader } from "./read-source.ts";
import { createTextReader, startTextWorker } from "./readers/text-reader.ts";

/** What reads documents in this browser; its workers come from the site itself. */
export function createKnowledgeSources(callFunction: Host["callFunction"]): KnowledgeSources {
  const startWorker = () => new Worker(new URL("./pdf-worker.ts", import.meta.url), { type: "module" });
  return {
    reader: createSourceReader(callFunction, { startWorker, readTexts: createTextReader(startTextWorker) }),
    pending: createPendingSources(globalThis.indexedDB),
  };
}
