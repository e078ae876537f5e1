import type { KnowledgeRepository } from "../../services/knowledge.ts";

const underWay = new WeakMap<object, Promise<void>>();

/** Has keyword search follow every change of a language; one at a time on a page. Workers do the same every few seconds. */
export function reindex(knowledge: Pick<KnowledgeRepository, "reindex">): Promise<void> {
  const running = underWay.get(knowledge) ?? all(knowledge).finally(() => underWay.delete(knowledge));
  underWay.set(knowledge, running);
  return running;
}

async function all(knowledge: Pick<KnowledgeRepository, "reindex">): Promise<void> {
  while (await knowledge.reindex());
}
