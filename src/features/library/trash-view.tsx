import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ListedWorkflow } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { storageKey } from "../../services/storage-limits.ts";
import { usePages } from "../../state/shared/use-pages.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { LoadMore } from "../../ui/feedback/load-more.tsx";
import { showError } from "../../ui/feedback/toast.tsx";
import { relativeTime } from "../../ui/text/relative-time.ts";

const keptDays = 30;
const dayMs = 86_400_000;

/** What was deleted within the last 30 days: to be brought back, or deleted for good. */
export function TrashView({ now, onBack }: { now: number; onBack: () => void }) {
  const { workflows } = useServices();
  const queries = useQueryClient();
  const [ending, setEnding] = useState<ListedWorkflow | null>(null);
  // What has been here for longer goes before it is listed.
  const pruned = useQuery({
    queryKey: ["trash", "prune"],
    queryFn: () => workflows.pruneTrash().then(() => true),
    staleTime: 0,
    retry: false,
  });
  const list = usePages(
    ["workflows", "trash"],
    (request) => workflows.page({ ...request, order: "edited", trash: true }),
    { enabled: !pruned.isPending },
  );
  const refresh = () => queries.invalidateQueries({ queryKey: ["workflows"] });
  const restore = useMutation({
    mutationFn: (id: string) => workflows.restore(id),
    onSettled: refresh,
    onError: (error) => showError(error),
  });
  const removeForever = useDialogMutation({
    subject: ending,
    save: (id: string) => workflows.removeForever(id),
    refresh: () => void Promise.all([refresh(), queries.invalidateQueries({ queryKey: storageKey })]),
  });
  const rows = list.rows ?? [];

  return (
    <section aria-labelledby="trash" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button icon="arrow-left" onClick={onBack}>
          Workflows
        </Button>
        <div>
          <h2 id="trash" className="text-lg font-semibold">
            Trash
          </h2>
          <p className="text-muted">Deleted workflows stay here for {keptDays} days, with their versions and runs.</p>
        </div>
      </div>
      {list.isError && <LoadFailure error={list.error} onRetry={() => void list.refetch()} />}
      {list.data !== undefined && rows.length === 0 && <EmptyState icon="trash-2" title="The trash is empty" />}
      {rows.length > 0 && (
        <ul className="overflow-hidden rounded-lg border bg-surface">
          {rows.map((workflow) => (
            <li
              key={workflow.id}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2.5 last:border-b-0"
            >
              <div className="min-w-40 flex-1">
                <p dir="auto" className="truncate font-medium">
                  {workflow.name}
                </p>
                <p className="text-xs text-muted">{deletedWords(workflow, now)}</p>
              </div>
              <Button
                size="sm"
                aria-label={`Restore ${workflow.name}`}
                busy={restore.isPending && restore.variables === workflow.id}
                onClick={() => restore.mutate(workflow.id)}
              >
                Restore
              </Button>
              <Button
                size="sm"
                variant="ghost"
                aria-label={`Delete ${workflow.name} for good`}
                onClick={() => setEnding(workflow)}
              >
                Delete for good
              </Button>
            </li>
          ))}
        </ul>
      )}
      <LoadMore
        shown={rows.length}
        total={list.first?.total ?? 0}
        what="workflows"
        busy={list.isFetchingNextPage}
        onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
      />
      <Dialog
        open={ending !== null}
        onOpenChange={() => setEnding(null)}
        size="sm"
        title={`Delete ${ending?.name ?? ""} for good?`}
        description="Its versions, runs and conversations go too. This cannot be undone."
        footer={
          <DialogActions
            onCancel={() => setEnding(null)}
            variant="danger"
            busy={removeForever.isPending}
            onClick={() => ending !== null && removeForever.submit(ending.id, { onDone: () => setEnding(null) })}
          >
            Delete for good
          </DialogActions>
        }
      />
    </section>
  );
}

function deletedWords({ deletedAt }: ListedWorkflow, now: number): string {
  const at = Date.parse(deletedAt ?? "");
  // What was deleted a moment ago is younger than `now`, which moves on twice a minute.
  const left = Math.max(0, Math.ceil((at + keptDays * dayMs - Math.max(at, now)) / dayMs));
  return `Deleted ${relativeTime(at, now)} · ${left === 1 ? "1 day" : `${left} days`} left`;
}
