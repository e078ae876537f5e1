import { useMutation } from "@tanstack/react-query";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { useRefreshKnowledge } from "./knowledge-queries.ts";

interface Removal {
  remove: (id: string) => Promise<void>;
  restore: (id: string) => Promise<void>;
  /** Called once it is out of sight, unless its page was left before. */
  onRemoved?: () => void;
}

/** Deletes something that has a name, with Undo. */
export function useRemoval({ remove, restore, onRemoved }: Removal) {
  const refresh = useRefreshKnowledge();
  const back = useMutation({
    mutationFn: restore,
    onError: (error) => showError(error),
    onSettled: refresh,
  });
  const removal = useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => remove(id),
    onSuccess: (_done, { id, name }) => {
      showToast(`Deleted "${name}"`, {
        id: `deleted-${id}`,
        action: { label: "Undo", onClick: () => back.mutate(id) },
      });
    },
    onError: (error) => showError(error),
    onSettled: () => void refresh(),
  });
  return {
    ...removal,
    mutate: (removed: { id: string; name: string }) => removal.mutate(removed, { onSuccess: onRemoved }),
  };
}
