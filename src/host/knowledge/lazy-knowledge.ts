import type { KnowledgeStore } from "../../engine/knowledge/knowledge.ts";
import { loadOnce } from "../../engine/load-once.ts";
import type { KnowledgeRepository } from "../../stores/knowledge-services.ts";
import type { Database } from "../message-store.ts";

/** The repository, its code loaded with the first call: the editor opens without it. */
export function lazyKnowledgeRepository(database: Database): KnowledgeRepository {
  const load = loadOnce(async () => (await import("./knowledge-repository.ts")).createKnowledgeRepository(database));
  return {
    collectionPage: async (...args) => (await load()).collectionPage(...args),
    collections: async (...args) => (await load()).collections(...args),
    collection: async (...args) => (await load()).collection(...args),
    create: async (...args) => (await load()).create(...args),
    update: async (...args) => (await load()).update(...args),
    setEmbedding: async (...args) => (await load()).setEmbedding(...args),
    remove: async (...args) => (await load()).remove(...args),
    restore: async (...args) => (await load()).restore(...args),
    document: async (...args) => (await load()).document(...args),
    documentPage: async (...args) => (await load()).documentPage(...args),
    documents: async (...args) => (await load()).documents(...args),
    removeDocument: async (...args) => (await load()).removeDocument(...args),
    restoreDocument: async (...args) => (await load()).restoreDocument(...args),
    chunks: async (...args) => (await load()).chunks(...args),
    around: async (...args) => (await load()).around(...args),
    search: async (...args) => (await load()).search(...args),
    exportCollection: async (...args) => (await load()).exportCollection(...args),
    findDocuments: async (...args) => (await load()).findDocuments(...args),
    putDocument: async (...args) => (await load()).putDocument(...args),
    pendingDocuments: async (...args) => (await load()).pendingDocuments(...args),
    markPending: async (...args) => (await load()).markPending(...args),
    sections: async (...args) => (await load()).sections(...args),
    storedChunks: async (...args) => (await load()).storedChunks(...args),
    arrangeChunks: async (...args) => (await load()).arrangeChunks(...args),
    addChunks: async (...args) => (await load()).addChunks(...args),
    recordCost: async (...args) => (await load()).recordCost(...args),
    finishDocument: async (...args) => (await load()).finishDocument(...args),
  };
}

/** The same for what agents search. */
export function lazyKnowledgeStore(database: Database): KnowledgeStore {
  const load = loadOnce(async () => (await import("./knowledge-store.ts")).createKnowledgeStore(database));
  return {
    collection: async (...args) => (await load()).collection(...args),
    search: async (...args) => (await load()).search(...args),
  };
}
