import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { Link, useLocation } from "wouter";
import { useStore } from "zustand";
import type { RunCursor, RunSummary } from "../../services/services.ts";
import { useEditor, useRunStore, useServices } from "../../state/editor/editor-context.tsx";
import { editorDialogStore } from "../../state/editor/editor-dialog-store.ts";
import { panelStore } from "../../state/editor/panel-store.ts";
import { reduceStoredRun } from "../../state/run/reduce-stored-run.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { showError } from "../../ui/feedback/toast.tsx";
import { HistoryRow } from "./history-row.tsx";
import { removedRuns, removeRuns } from "./removed-runs.ts";

const pageSize = 100;

/** The stored runs of the open workflow, but for those that tests made; a click opens one on canvas and panels. */
export function HistoryPanel() {
  const { workflowId, runs: store } = useEditor();
  const services = useServices();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const removed = useStore(removedRuns, (state) => state.ids);
  const current = useRunStore((state) => state.currentRunId);
  const runs = useInfiniteQuery({
    queryKey: ["runs", workflowId],
    queryFn: ({ pageParam }) => services.runs.page({ workflowId, trials: false }, pageSize, pageParam ?? undefined),
    initialPageParam: null as RunCursor | null,
    getNextPageParam: (page) => page.next,
    staleTime: 0,
  });

  const wanted = useRef<string | null>(null);
  const open = useMutation({
    mutationFn: async (run: RunSummary) => {
      wanted.current = run.id;
      const { started } = store.getState();
      if (store.getState().runs[run.id] === undefined) {
        const events = await services.runs.events(run.id);
        const state = await reduceStoredRun(run, events);
        // Another run was chosen or started meanwhile.
        if (wanted.current !== run.id || store.getState().started !== started) return;
        store.getState().open(state, events);
      } else store.getState().show(run.id);
      panelStore.getState().chooseStep(null);
      panelStore.getState().show("steps");
    },
    onError: (error) => showError(error),
  });

  if (runs.isPending) {
    return (
      <div className="flex justify-center p-8 text-muted">
        <Spinner label="Loading the runs" />
      </div>
    );
  }
  if (runs.isLoadingError) {
    return (
      <div className="p-3">
        <LoadFailure error={runs.error} onRetry={() => void runs.refetch()} />
      </div>
    );
  }
  const stored = runs.data.pages.flatMap((page) => page.runs);
  if (stored.length === 0) {
    return (
      <EmptyState icon="history" title="No run yet">
        Each run is kept here with its steps. Click Test for the first one.
      </EmptyState>
    );
  }
  const shown = stored.filter(({ id }) => !removed.has(id));
  return (
    <div className="@container flex h-full flex-col">
      <p className="flex shrink-0 items-center border-b px-3 py-1 text-xs text-muted">
        <Link href={`/runs?workflow=${workflowId}`} className="ml-auto font-medium text-accent hover:underline">
          Filter, compare and clear runs
        </Link>
      </p>
      <ul aria-label="Runs" className="min-h-0 flex-1 overflow-y-auto">
        {shown.map((run) => (
          <HistoryRow
            key={run.id}
            run={run}
            shown={run.id === current}
            busy={open.isPending && open.variables.id === run.id}
            onOpen={() => open.mutate(run)}
            onOpenAsItWas={() => navigate(`/runs/${run.id}`)}
            onShare={() => editorDialogStore.getState().show({ kind: "share-run", runId: run.id })}
            onRemove={() => removeRuns([run.id], { ...services, queries })}
          />
        ))}
        {runs.hasNextPage && (
          <li className="flex justify-center p-2">
            <Button size="sm" busy={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
              Show older runs
            </Button>
          </li>
        )}
      </ul>
    </div>
  );
}
