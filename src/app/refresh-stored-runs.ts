import type { QueryClient } from "@tanstack/react-query";
import { unstoredRuns } from "../state/run/unstored-runs.ts";

/** Has a run of this tab and the lists of runs read anew once it is stored, whatever page is open by then. Gives what ends it. */
export function refreshStoredRuns(queries: QueryClient): () => void {
  return unstoredRuns.subscribe(({ ids }, before) => {
    const stored = [...before.ids].filter((id) => !ids.has(id));
    if (stored.length === 0) return;
    for (const id of stored) void queries.invalidateQueries({ queryKey: ["run", id] });
    void queries.invalidateQueries({ queryKey: ["runs"] });
  });
}
