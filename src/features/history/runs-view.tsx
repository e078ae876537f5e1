import { useCallback, useMemo, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { ListedRun } from "../../services/services.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Menu } from "../../ui/overlays/menu.tsx";
import { isFiltered, noSearch, readSearch, type RunSearch, toFilter, writeSearch } from "./run-filter.ts";
import { RunFilters } from "./run-filters.tsx";
import { RunLine } from "./run-line.tsx";
import { ServerQueue } from "./server-queue.tsx";
import { useServerActions } from "./use-server-actions.ts";
import { useRunsList, useTidyRuns } from "./use-runs-list.ts";

/** The stored runs of all workflows: found, opened, compared, deleted. The filters stand in the address. */
export function RunsView() {
  const [params, setParams] = useSearchParams();
  const search = useMemo(() => readSearch(params), [params]);
  const filter = useMemo(() => toFilter(search), [search]);
  const { list, shown, remove, removeAll } = useRunsList(filter);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  useTidyRuns(list.isSuccess);
  const change = useCallback(
    (next: RunSearch) => {
      setChosen(new Set());
      setParams(writeSearch(next), { replace: true });
    },
    [setParams],
  );
  const ids = shown.map(({ id }) => id).filter((id) => chosen.has(id));
  const removeThem = (gone: readonly string[]) => {
    remove(gone);
    setChosen(new Set());
  };

  return (
    <div className="flex flex-col gap-3">
      <RunFilters search={search} onChange={change} />
      <ServerQueue status={search.status} onStatus={(status) => change({ ...search, status })} />
      {list.isError && <LoadFailure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <ListSkeleton label="Loading the runs" />}
      {list.isSuccess && shown.length === 0 && (
        <NoRuns filtered={isFiltered(search)} onClear={() => change(noSearch)} />
      )}
      {shown.length > 0 && (
        <section aria-label="Runs" className="rounded-lg border bg-surface">
          <Selection
            ids={ids}
            all={shown}
            busy={removeAll.isPending}
            onChoose={setChosen}
            onRemove={() => removeThem(ids)}
            onRemoveAll={() => removeAll.mutate()}
          />
          <Lines runs={shown} chosen={chosen} onChoose={setChosen} onRemove={removeThem} />
        </section>
      )}
      {list.hasNextPage && (
        <Button className="self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show older runs
        </Button>
      )}
    </div>
  );
}

function NoRuns({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const [, navigate] = useLocation();
  return filtered ? (
    <EmptyState icon="search" title="No matching runs" action={<Button onClick={onClear}>Clear filters</Button>}>
      Try other words or more days.
    </EmptyState>
  ) : (
    <EmptyState
      icon="history"
      title="No run yet"
      action={<Button onClick={() => navigate("/")}>Go to your workflows</Button>}
    >
      Open a workflow and click Test. Each run is kept here with its steps, tokens and cost.
    </EmptyState>
  );
}

interface SelectionProps {
  ids: readonly string[];
  all: readonly ListedRun[];
  busy: boolean;
  onChoose: (ids: ReadonlySet<string>) => void;
  onRemove: () => void;
  onRemoveAll: () => void;
}

/** What is chosen, and what can be done with it. */
function Selection({ ids, all, busy, onChoose, onRemove, onRemoveAll }: SelectionProps) {
  const [, navigate] = useLocation();
  const [newer, older] = ids;
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-2 border-b px-3 py-1.5">
      <input
        type="checkbox"
        aria-label="Choose all shown runs"
        className="size-4 accent-accent"
        checked={ids.length === all.length}
        ref={(box) => {
          if (box) box.indeterminate = ids.length > 0 && ids.length < all.length;
        }}
        onChange={(event) => onChoose(new Set(event.target.checked ? all.map(({ id }) => id) : []))}
      />
      <span role="status" className="mr-auto text-muted numeric">
        {ids.length === 0 ? "Select two runs to compare them" : `${ids.length} chosen`}
      </span>
      {ids.length === 2 && (
        <Button size="sm" icon="git-compare" onClick={() => navigate(`/runs/compare?left=${older}&right=${newer}`)}>
          Compare
        </Button>
      )}
      {ids.length > 0 && (
        <Button size="sm" icon="trash-2" onClick={onRemove}>
          Delete
        </Button>
      )}
      <Menu
        trigger={<IconButton size="sm" icon="ellipsis" label="Actions for the list" disabled={busy} />}
        items={[
          { label: "Delete all runs that match the filters", icon: "trash-2", danger: true, onSelect: onRemoveAll },
        ]}
      />
    </div>
  );
}

interface LinesProps {
  runs: readonly ListedRun[];
  chosen: ReadonlySet<string>;
  onChoose: (ids: ReadonlySet<string>) => void;
  onRemove: (ids: readonly string[]) => void;
}

function Lines({ runs, chosen, onChoose, onRemove }: LinesProps) {
  const [, navigate] = useLocation();
  const { stop, retry } = useServerActions((id) => navigate(`/runs/${id}`));
  const choose = (id: string, wanted: boolean) => {
    const next = new Set(chosen);
    if (wanted) next.add(id);
    else next.delete(id);
    onChoose(next);
  };
  return (
    <ul aria-label="Stored runs">
      {runs.map((run) => (
        <RunLine
          key={run.id}
          run={run}
          chosen={chosen.has(run.id)}
          onChoose={(wanted) => choose(run.id, wanted)}
          onOpen={() => navigate(`/runs/${run.id}`)}
          onOpenWorkflow={() => navigate(`/w/${run.workflowId}`)}
          onRemove={() => onRemove([run.id])}
          onStop={() => stop(run)}
          onRetry={() => retry(run)}
        />
      ))}
    </ul>
  );
}
