import type { CollectionSummary } from "../../services/knowledge.ts";
import { useServices } from "../../services/services-context.tsx";
import { useChoices } from "../shared/choices.ts";
import { knowledgeKey } from "./collection-list.ts";

/** The account's collections, to choose one from; by name. */
export function useCollectionChoices(chosenId: string) {
  const { knowledge } = useServices();
  return useChoices<CollectionSummary>({
    queryKey: [...knowledgeKey, "collections"],
    read: (request) => knowledge.collectionPage(request),
    find: async (id) => (await knowledge.collections({ ids: [id] }))[0],
    chosenId,
  });
}
