import { useMutation } from "@tanstack/react-query";
import type { CollectionSummary } from "../../stores/knowledge-services.ts";
import { useServices } from "../../stores/services-context.tsx";
import { downloadJson } from "../../ui/download-json.ts";
import { showError, showToast } from "../../ui/toast.tsx";
import { useRefreshKnowledge } from "./knowledge-queries.ts";

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

  const restore = useMutation({
    mutationFn: (id: string) => knowledge.restore(id),
    onError: (error) => showError(error),
    onSettled: refresh,
  });

  const remove = useMutation({
    mutationFn: ({ id }: CollectionSummary) => knowledge.remove(id),
    onSuccess: (_done, { id, name }) => {
      onRemoved?.();
      showToast(`Deleted "${name}"`, {
        id: `deleted-${id}`,
        action: { label: "Undo", onClick: () => restore.mutate(id) },
      });
    },
    onError: (error) => showError(error),
    onSettled: refresh,
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
