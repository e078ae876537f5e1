import type { KnowledgeStore } from "../../engine/knowledge/knowledge.ts";
import type { KnowledgeRepository } from "../../services/knowledge.ts";
import { lazily } from "../lazily.ts";
import type { Database } from "../message-store.ts";

type OpenDatabase = () => Promise<Database>;

/** The repository, its code loaded with the first call: the editor opens without it. */
export function lazyKnowledgeRepository(database: OpenDatabase): KnowledgeRepository {
  return lazily(async () => (await import("./knowledge-repository.ts")).createKnowledgeRepository(await database()));
}

/** The same for what agents search. */
export function lazyKnowledgeStore(database: OpenDatabase): KnowledgeStore {
  return lazily(async () => (await import("./knowledge-store.ts")).createKnowledgeStore(await database()));
}
