import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { useRunStore, useServices } from "../../state/editor/editor-context.tsx";
import { currentRun } from "../../state/run/run-store.ts";
import { newId } from "../../state/shared/new-id.ts";
import { runStatusLooks, runStatusText, serverRunText } from "../../state/run/run-status-text.ts";
import type { RunSummary, StoredRunStatus } from "../../services/services.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { showError } from "../../ui/feedback/toast.tsx";
import type { FollowedRun } from "./use-server-run.ts";

function Status({ status }: { status: StoredRunStatus }) {
  if (status === "running") {
    return (
      // The word beside it is read out.
      <span aria-hidden className="flex">
        <Spinner size={14} label="running" now />
      </span>
    );
  }
  const { icon, tint } = runStatusLooks[status];
  return (
    <span className={tint}>
      <Icon name={icon} size={14} />
    </span>
  );
}

/** Ends the run; gone once it has ended. */
function StopButton({ run, onDone }: { run: RunSummary; onDone: () => void }) {
  const { serverRuns } = useServices();
  const cancel = useMutation({
    mutationFn: () => serverRuns.cancel(run.id),
    onSuccess: onDone,
    onError: (error) => showError(error),
  });
  const asked = cancel.isPending || cancel.isSuccess || run.server?.cancelRequested === true;
  return (
    <Button size="sm" icon="square" disabled={asked} onClick={() => cancel.mutate()}>
      {asked ? "Stopping…" : "Stop"}
    </Button>
  );
}

/** Starts a run of the same version that takes over what the failed one had done. */
function RetryButton({ run, version, onOpen }: { run: RunSummary; version: number; onOpen: (runId: string) => void }) {
  const { serverRuns } = useServices();
  const [key] = useState(newId);
  const retry = useDialogMutation({
    save: () =>
      serverRuns.start({
        workflowId: run.workflowId,
        target: String(version),
        input: run.input,
        key,
        forkedFrom: { runId: run.id },
      }),
  });
  return (
    <Button
      size="sm"
      icon="rotate-ccw"
      disabled={retry.isPending}
      onClick={() => retry.submit(undefined, { onDone: ({ id }) => onOpen(id) })}
    >
      Retry from the failed step
    </Button>
  );
}

/** How a run on the server stands, and what can be done about it. */
export function ServerRunBar({ run, onOpen }: { run: FollowedRun; onOpen: (runId: string) => void }) {
  const { summary, following, workerMissing, look } = run;
  const { server, status } = summary;
  const asks = useRunStore((state) =>
    Object.values(currentRun(state)?.nodes ?? {}).some((node) => node.status === "approval"),
  );
  if (server === null) return null;
  return (
    <section aria-label="Server run" className="shrink-0 border-b bg-surface text-sm">
      <div className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1">
        <p className="flex items-center gap-2 font-medium" role="status">
          <Status status={status} />
          {runStatusText[status]}
        </p>
        <p className="mr-auto min-w-0 truncate text-muted">
          {serverRunText(summary)}
          {server.worker !== null && ` · worker ${server.worker}`}
        </p>
        {asks && (
          <Button asChild size="sm" variant="primary">
            <Link href="/inbox">Answer in the inbox</Link>
          </Button>
        )}
        {following && <StopButton run={summary} onDone={look} />}
        {status === "failed" && <RetryButton run={summary} version={server.version} onOpen={onOpen} />}
      </div>
      {workerMissing && (
        <div className="px-3 pb-2">
          <Notice tone="warning" title="No worker is running">
            The run starts as soon as there is one. Start the studio with <code>npm start</code>, without{" "}
            <code>--workers 0</code>, or start a worker with <code>npm run worker</code>.
          </Notice>
        </div>
      )}
    </section>
  );
}
