import { useEffect, useMemo } from "react";
import { z } from "zod/mini";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { onlyRead } from "../../engine/knowledge/knowledge-errors.ts";
import { addDocument } from "../../nodes/knowledge/add-document.ts";
import { deleteDocument } from "../../nodes/knowledge/delete-document.ts";
import { collectionOf, useCollectionsById } from "../../state/knowledge/collection-list.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import type { CollectionSummary } from "../../services/knowledge.ts";
import type { Problem } from "../../state/document/problem-store.ts";

/** Ids of the collections that nodes search, by node, as one text that stays the same while they do. */
function searchedCollections({ nodes }: WorkflowDocument): string {
  const found = Object.values(nodes).flatMap((node) => {
    const collection = collectionOf(node);
    return collection === "" ? [] : [[node.id, node.title, collection]];
  });
  return JSON.stringify(found);
}

const searchedIds = z.array(
  z.pipe(
    z.tuple([z.string(), z.string(), z.string()]),
    z.transform(([, , collection]) => collection),
  ),
);

/** Steps that change documents. */
const changing: ReadonlySet<string> = new Set([addDocument.type, deleteDocument.type]);

/** One problem for each node whose collection is not among the account's, or is only read where it would change it. */
export function collectionProblems(
  document: WorkflowDocument,
  list: readonly Pick<CollectionSummary, "id" | "table">[] | undefined,
): Problem[] {
  if (list === undefined) return [];
  const known = new Map(list.map((collection) => [collection.id, collection]));
  return Object.values(document.nodes).flatMap((node): Problem[] => {
    const collection = collectionOf(node);
    const found = known.get(collection);
    if (collection === "" || (found && !(found.table && changing.has(node.type)))) return [];
    const common = { nodeId: node.id, field: "collection", severity: "error", code: "invalid_config" } as const;
    if (found) {
      const { message, hint } = onlyRead().data;
      return [{ ...common, message, hint }];
    }
    const { collectionName } = node.config;
    const named = typeof collectionName === "string" && collectionName !== "" ? ` "${collectionName}"` : "";
    return [
      {
        ...common,
        message: `The collection${named} of "${node.title}" was deleted, or belongs to another account.`,
        hint: "Choose another collection, or make one on the Knowledge page.",
      },
    ];
  });
}

/** Keeps the editor's problems up to date with what the account has; while that is not known, nothing is missing. */
export function useCollectionProblems(): void {
  const { problems, document } = useEditor();
  const searched = useDocumentStore((state) => searchedCollections(state.document));
  const { data } = useCollectionsById(useMemo(() => searchedIds.parse(JSON.parse(searched)), [searched]));
  const found = useMemo(
    () => (searched === "[]" ? [] : collectionProblems(document.getState().document, data)),
    [document, searched, data],
  );
  useEffect(() => problems.setOutside("collections", found), [problems, found]);
}
