import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useStore } from "zustand";
import { markInterrupted } from "../../state/run/mark-interrupted.ts";
import { watchTabs } from "../../state/run/watch-tabs.ts";
import { forgetOwnRun, ownRuns } from "../../state/run/own-runs.ts";
import { aliveRuns } from "../../state/run/run-lock.ts";
import type { RunCursor, RunFilter } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { showError } from "../../ui/feedback/toast.tsx";
import { isUnderWay } from "../../state/run/run-look.ts";
import { removedRuns, removeRuns } from "./removed-runs.ts";

const pageSize = 50;

/** The stored runs that fit a filter, page after page, without those that were just deleted. */
export function useRunsList(filter: RunFilter) {
  const { runs, auth } = useServices();
  const queries = useQueryClient();
  const removed = useStore(removedRuns, (state) => state.ids);
  const list = useInfiniteQuery({
    queryKey: ["runs", "list", filter],
    queryFn: ({ pageParam }) => runs.page(filter, pageSize, pageParam ?? undefined),
    initialPageParam: null as RunCursor | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const shown = (list.data?.pages ?? []).flatMap((page) => page.runs).filter(({ id }) => !removed.has(id));

  const removeAll = useMutation({
    mutationFn: async () => {
      const found: string[] = [];
      let after: RunCursor | undefined;
      do {
        const page = await runs.page(filter, 200, after);
        found.push(...page.runs.filter(({ status }) => !isUnderWay(status)).map(({ id }) => id));
        after = page.next ?? undefined;
      } while (after !== undefined);
      return found;
    },
    onSuccess: (found) => removeRuns(found, { runs, auth, queries }),
    onError: (error) => showError(error),
  });

  return { list, shown, remove: (ids: readonly string[]) => removeRuns(ids, { runs, auth, queries }), removeAll };
}

/** When the list is there, and when another tab is closed: runs of all workflows whose tab is gone are called interrupted, and what is kept no longer is deleted. */
export function useTidyRuns(listed: boolean): void {
  const { runs } = useServices();
  const queries = useQueryClient();
  useEffect(() => {
    if (!listed) return undefined;
    const tidy = async () => {
      const marked = await markInterrupted({ runs, alive: await aliveRuns(), own: ownRuns(), now: Date.now() });
      for (const runId of marked) forgetOwnRun(runId);
      const pruned = await runs.prune();
      if (marked.length > 0 || pruned > 0) await queries.invalidateQueries({ queryKey: ["runs"] });
    };
    // Without a connection they stay as they are until the next visit; the list says what is wrong.
    const tidyQuietly = () => void tidy().catch(() => {});
    tidyQuietly();
    return watchTabs(tidyQuietly);
  }, [runs, queries, listed]);
}
