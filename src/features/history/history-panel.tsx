import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import type { RunSummary } from "../../stores/services.ts";
import { useEditor, useRunStore, useServices } from "../../stores/editor-context.tsx";
import { panelStore } from "../../stores/panel-store.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { showError } from "../../ui/toast.tsx";
import { HistoryRow } from "./history-row.tsx";

const mostListed = 100;

/** The stored runs of the open workflow; a click opens one on canvas and panels. */
export function HistoryPanel() {
  const { workflowId, runs: store } = useEditor();
  const services = useServices();
  const current = useRunStore((state) => state.currentRunId);
  const saved = useRunStore((state) => Object.values(state.saving).filter(({ status }) => status === "saved").length);
  const runs = useQuery({
    queryKey: ["runs", workflowId, saved],
    queryFn: () => services.runs.list(workflowId, mostListed),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

  const open = useMutation({
    mutationFn: async (run: RunSummary) => {
      if (!store.getState().started.includes(run.id)) {
        store.getState().open(run.id, await services.runs.events(run.id), run.status);
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
  if (runs.isError) {
    const retry = (
      <Button size="sm" onClick={() => void runs.refetch()}>
        Try again
      </Button>
    );
    return (
      <div className="p-3">
        <Notice tone="danger" title={runs.error.message} action={retry} />
      </div>
    );
  }
  if (runs.data.length === 0) {
    return (
      <EmptyState icon="history" title="No run yet">
        Each run is kept here with its steps. Click Test for the first one.
      </EmptyState>
    );
  }
  return (
    <ul aria-label="Runs" className="@container h-full overflow-y-auto">
      {runs.data.map((run) => (
        <HistoryRow
          key={run.id}
          run={run}
          shown={run.id === current}
          busy={open.isPending && open.variables.id === run.id}
          onOpen={() => open.mutate(run)}
        />
      ))}
    </ul>
  );
}
