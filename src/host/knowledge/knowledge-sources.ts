import type { Host } from "../../engine/host.ts";
import type { KnowledgeSources } from "../../stores/knowledge-services.ts";
import { createPendingSources } from "./pending-sources.ts";
import { createSourceReader } from "./read-source.ts";

/** What reads documents in this browser; the PDF worker comes from the site itself. */
export function createKnowledgeSources(callFunction: Host["callFunction"]): KnowledgeSources {
  const startWorker = () => new Worker(new URL("./pdf-worker.ts", import.meta.url), { type: "module" });
  return {
    reader: createSourceReader(callFunction, { startWorker }),
    pending: createPendingSources(globalThis.indexedDB),
  };
}
