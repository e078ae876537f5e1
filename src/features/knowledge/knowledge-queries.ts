import { useQuery, useQueryClient } from "@tanstack/react-query";
import { knowledgeKey as root } from "../../stores/collection-list.ts";
import { useServices } from "../../stores/services-context.tsx";

export function useCollection(id: string) {
  const { knowledge } = useServices();
  return useQuery({ queryKey: [...root, "collection", id], queryFn: () => knowledge.collection(id) });
}

const documentsKey = (collectionId: string) => [...root, "documents", collectionId];

export function useDocuments(collectionId: string) {
  const { knowledge } = useServices();
  return useQuery({ queryKey: documentsKey(collectionId), queryFn: () => knowledge.documents(collectionId) });
}

/** A chunk with its document and its neighbours; `reach` chunks at each side. */
export function useAround(chunkId: string, reach: number) {
  const { knowledge } = useServices();
  return useQuery({
    queryKey: [...root, "around", chunkId, reach],
    queryFn: () => knowledge.around(chunkId, reach),
    placeholderData: (before) => before,
  });
}

export const chunksKey = (documentId: string) => [...root, "chunks", documentId];

/** Lets every list read anew what may have changed. */
export function useRefreshKnowledge(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: root });
}
