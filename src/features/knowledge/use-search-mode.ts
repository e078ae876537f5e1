import { useMutation } from "@tanstack/react-query";
import type { KnowledgeMode } from "../../engine/knowledge/knowledge.ts";
import { useServices } from "../../services/services-context.tsx";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { useRefreshKnowledge } from "./knowledge-queries.ts";

/** Sets how steps and tools search that follow the collection. */
export function useSearchMode(collectionId: string) {
  const { knowledge } = useServices();
  const refresh = useRefreshKnowledge();
  return useMutation({
    mutationFn: (searchMode: KnowledgeMode | null) => knowledge.update(collectionId, { searchMode }),
    onSuccess: () =>
      void showToast("Saved", { hint: "Steps and tools whose mode is “As the collection says” search this way." }),
    onError: (error) => showError(error),
    onSettled: refresh,
  });
}
