import { documentsInBrowser } from "../../../documents/documents.ts";
import type { Host } from "../../../engine/host.ts";
import type { KnowledgeSources } from "../../../services/knowledge.ts";
import { createPendingSources } from "./pending-sources.ts";
import { createSourceReader } from "./read-source.ts";

/** What reads documents in this browser; its workers come from the site itself. */
export function createKnowledgeSources(callFunction: Host["callFunction"]): KnowledgeSources {
  return {
    reader: createSourceReader(callFunction, documentsInBrowser()),
    pending: createPendingSources(globalThis.indexedDB),
  };
}
