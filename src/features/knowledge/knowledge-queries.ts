import { useQuery, useQueryClient } from "@tanstack/react-query";
import { knowledgeKey as root } from "../../state/knowledge/collection-list.ts";
import { ServiceError } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { usePages } from "../../state/shared/use-pages.ts";

export function useCollection(id: string) {
  const { knowledge } = useServices();
  return useQuery({ queryKey: [...root, "collection", id], queryFn: () => knowledge.collection(id) });
}

const documentsKey = (collectionId: string) => [...root, "documents", collectionId];

/** The documents of a collection, the latest first; those that have every word of the search. */
export function useDocuments(collectionId: string, search: string) {
  const { knowledge } = useServices();
  return usePages([...documentsKey(collectionId), search], (request) =>
    knowledge.documentPage(collectionId, { ...request, search }),
  );
}

/** One document. Lies under its collection's documents, so that a change of those reads it anew. */
export function useDocument(collectionId: string, id: string) {
  const { knowledge } = useServices();
  return useQuery({
    queryKey: [...documentsKey(collectionId), "one", id],
    queryFn: async () => {
      const found = await knowledge.document(id);
      if (found.collectionId === collectionId) return found;
      throw new ServiceError("not-found", "This document does not exist.", "It is in another collection.");
    },
  });
}

/** Every document of a collection, however many there are. */
export function useAllDocuments(collectionId: string) {
  const { knowledge } = useServices();
  return useQuery({
    queryKey: [...documentsKey(collectionId), "all"],
    queryFn: () => knowledge.documents(collectionId),
  });
}

/** What the documents of a collection can be filtered by. */
export function useFields(collectionId: string) {
  const { knowledge } = useServices();
  return useQuery({
    queryKey: [...documentsKey(collectionId), "fields"],
    queryFn: ({ signal }) => knowledge.fields(collectionId, { signal }),
  });
}

/** The account's collections by name; those that have every word of the search. */
export function useCollectionPages(search: string) {
  const { knowledge } = useServices();
  return usePages([...root, "collections", "pages", search], (request) =>
    knowledge.collectionPage({ ...request, search }),
  );
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

/** What was read of a document. It may be long, so it is forgotten soon. */
export function useSections(documentId: string) {
  const { knowledge } = useServices();
  return useQuery({
    queryKey: [...root, "sections", documentId],
    queryFn: () => knowledge.sections(documentId),
    gcTime: 60_000,
  });
}

/** The file whose pages can be shown of a document; null where none is kept. */
export function useOriginal(documentId: string) {
  const { knowledge } = useServices();
  return useQuery({ queryKey: [...root, "original", documentId], queryFn: () => knowledge.original(documentId) });
}

export const chunksKey = (documentId: string) => [...root, "chunks", documentId];

/** Lets every list read anew what may have changed. */
export function useRefreshKnowledge(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: root });
}
