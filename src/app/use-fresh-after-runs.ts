import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useEditor } from "../stores/editor-context.tsx";
import { hasAllTitles } from "../stores/conversation-titles.ts";
import type { RunStore } from "../stores/run-store.ts";

/**
 * Has everything read anew that a run of this tab may have changed: memories when it ends (not what conversations are
 * called that have their name already), the history when it is stored.
 * The queries keep their keys; a key for each run would fill the cache. Gives what ends it.
 */
export function refreshAfterRuns(runs: RunStore, workflowId: string, queries: QueryClient): () => void {
  return runs.subscribe((state, before) => {
    if (state.ended !== before.ended) {
      void queries.invalidateQueries({ queryKey: ["memory"], predicate: (query) => !hasAllTitles(query) });
    }
    if (state.stored !== before.stored) void queries.invalidateQueries({ queryKey: ["runs", workflowId] });
  });
}

export function useFreshAfterRuns(): void {
  const { runs, workflowId } = useEditor();
  const queries = useQueryClient();
  useEffect(() => refreshAfterRuns(runs, workflowId, queries), [runs, workflowId, queries]);
}
