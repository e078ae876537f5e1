import { useQuery } from "@tanstack/react-query";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { addDocument } from "../../nodes/knowledge/add-document.ts";
import { deleteDocument } from "../../nodes/knowledge/delete-document.ts";
import { searchDocuments } from "../../nodes/knowledge/search-documents.ts";
import { knowledgeBaseTool } from "../../nodes/tools/knowledge-base-tool.ts";
import type { CollectionSummary } from "../../services/knowledge.ts";
import { useServices } from "../../services/services-context.tsx";

/** Everything that is read of collections lies under this key. */
export const knowledgeKey = ["knowledge"];

/** These collections, as far as the account has them; nothing is read where none is named. */
export function useCollectionsById(ids: readonly string[]) {
  const { knowledge } = useServices();
  const wanted = [...new Set(ids)].toSorted();
  return useQuery({
    queryKey: [...knowledgeKey, "collections", "by id", ...wanted],
    queryFn: () => knowledge.collections({ ids: wanted }),
    enabled: wanted.length > 0,
  });
}

const ofCollections: ReadonlySet<string> = new Set(
  [knowledgeBaseTool, searchDocuments, addDocument, deleteDocument].map(({ type }) => type),
);

/** Whether a node of this type works on a collection. */
export function usesCollection(type: string): boolean {
  return ofCollections.has(type);
}

/** The id of the collection that a node works on; empty where it works on none, or one that a template names. */
export function collectionOf(node: NodeRecord | undefined): string {
  if (node === undefined || !usesCollection(node.type)) return "";
  const id = node.config["collection"];
  return typeof id === "string" && !id.includes("{{") ? id : "";
}

/** The node as it reads now: with the present name of its collection, whatever it was called when it was chosen. */
export function withCollectionName(node: NodeRecord, list: readonly CollectionSummary[] | undefined): NodeRecord {
  const id = collectionOf(node);
  if (list === undefined || id === "") return node;
  const collectionName = list.find((collection) => collection.id === id)?.name ?? "Deleted collection";
  return { ...node, config: { ...node.config, collectionName } };
}
