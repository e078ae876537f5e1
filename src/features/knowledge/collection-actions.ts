import { useMutation } from "@tanstack/react-query";
import type { CollectionSummary } from "../../services/knowledge.ts";
import { useServices } from "../../services/services-context.tsx";
import { downloadJson } from "../../ui/data/download-json.ts";
import { showError } from "../../ui/feedback/toast.tsx";
import { useRefreshKnowledge } from "./knowledge-queries.ts";
import { useRemoval } from "./use-removal.ts";

/** A file name of a collection's name. */
export function exportFileName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  return `${plain === "" ? "collection" : plain.slice(0, 60)}.knowledge.json`;
}

/** What lists and pages do with a collection; each tells how it went. `onRemoved` is called once it is out of sight. */
export function useCollectionActions(onRemoved?: () => void) {
  const { knowledge } = useServices();
  const refresh = useRefreshKnowledge();

  const rename = useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) => knowledge.update(id, { name }),
    onError: (error) => showError(error),
    onSettled: refresh,
  });

  const remove = useRemoval({
    remove: (id) => knowledge.remove(id),
    restore: (id) => knowledge.restore(id),
    onRemoved,
  });

  async function exportFile({ id, name }: CollectionSummary) {
    try {
      downloadJson(exportFileName(name), await knowledge.exportCollection(id));
    } catch (error) {
      showError(error);
    }
  }

  return {
    rename: (id: string, name: string) => rename.mutate({ id, name }),
    /** The name that is being stored, while the old one is still what the server has. */
    renaming: rename.isPending ? rename.variables.name : null,
    remove: (collection: CollectionSummary) => remove.mutate(collection),
    exportFile: (collection: CollectionSummary) => void exportFile(collection),
  };
}

export type CollectionActions = ReturnType<typeof useCollectionActions>;
