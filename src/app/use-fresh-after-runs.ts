import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useEditor } from "../state/editor/editor-context.tsx";
import { hasAllTitles } from "../state/conversation/known-titles.ts";
import type { RunStore } from "../state/run/run-store.ts";

/**
 * Has memories read anew when a run of this tab ends, which may have changed them; not what conversations are called that
 * have their name already. The queries keep their keys; a key for each run would fill the cache. Gives what ends it.
 */
export function refreshAfterRuns(runs: RunStore, queries: QueryClient): () => void {
  return runs.subscribe((state, before) => {
    if (state.ended === before.ended) return;
    void queries.invalidateQueries({ queryKey: ["memory"], predicate: (query) => !hasAllTitles(query) });
  });
}

export function useFreshAfterRuns(): void {
  const { runs } = useEditor();
  const queries = useQueryClient();
  useEffect(() => refreshAfterRuns(runs, queries), [runs, queries]);
}
