import { useState } from "react";
import { useLocation } from "wouter";
import { CheckButton } from "../../features/decisions/check-button.tsx";
import { isUnderWay } from "../../state/run/run-look.ts";
import { SaveCaseButton } from "../../features/tests/save-case-button.tsx";
import { RunStatusMark } from "../../features/results/run-status-mark.tsx";
import { useEditor, useRunStore } from "../../state/editor/editor-context.tsx";
import type { RunControl } from "../../state/run/run-control.ts";
import { currentRun } from "../../state/run/run-store.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import type { StoredRun } from "./open-run.ts";
import { ShareRun } from "./share-stored-run.tsx";

/** Which run this is, and the ways back. */
export function RunTopBar({ stored, control }: { stored: StoredRun; control: RunControl }) {
  const [, navigate] = useLocation();
  const { summary, document } = stored;
  const origin = summary.forkedFrom?.runId;
  const hasEnded = !isUnderWay(summary.status);
  return (
    <header className="z-20 flex h-12 shrink-0 items-center gap-2 border-b bg-surface px-2">
      <IconButton size="sm" icon="arrow-left" label="All runs" onClick={() => navigate("/runs")} />
      <div className="min-w-0 flex-1">
        <h1 className="truncate font-medium">{document.name}</h1>
        <p className="truncate text-xs text-muted">
          {summary.isTrial && "Run of a test. "}As it was on {formatMoment(Date.parse(summary.startedAt))}.
          <span className="max-sm:hidden"> It cannot be changed here.</span>
        </p>
      </div>
      {control.running && (
        <Button icon="square" onClick={control.stop}>
          Stop
        </Button>
      )}
      {origin !== undefined && (
        <Button icon="git-compare" onClick={() => navigate(`/runs/compare?left=${origin}&right=${summary.id}`)}>
          <span className="max-sm:sr-only">Compare with the original</span>
        </Button>
      )}
      {hasEnded && (
        <CheckButton runId={summary.id} workflowId={summary.workflowId} document={document} events={stored.events} />
      )}
      {hasEnded && <ShareButton stored={stored} />}
      {hasEnded && (
        <SaveCaseButton
          workflowId={summary.workflowId}
          events={stored.events}
          onOpenSuite={(id) => navigate(`/tests/${id}`)}
        />
      )}
      <Button icon="workflow" onClick={() => navigate(`/w/${summary.workflowId}`)}>
        <span className="max-sm:sr-only">Open the workflow</span>
      </Button>
    </header>
  );
}

function ShareButton({ stored }: { stored: StoredRun }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon="share" onClick={() => setOpen(true)}>
        <span className="max-sm:sr-only">Share</span>
      </Button>
      {open && <ShareRun stored={stored} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Stands in place of the timeline while a fork of the opened run is shown. */
export function ForkBar({ from, control }: { from: string; control: RunControl }) {
  const [, navigate] = useLocation();
  const { runs } = useEditor();
  const run = useRunStore(currentRun);
  const saved = useRunStore((state) => state.saving[state.currentRunId ?? ""]?.status === "saved");
  if (run === undefined) return null;
  const served = run.steps.filter((step) => step.kind !== "note" && step.replayed).length;
  return (
    <section
      aria-label="Fork"
      className="flex shrink-0 flex-wrap items-center gap-2 border-b bg-surface px-3 py-1.5 text-sm"
    >
      <Icon name="git-fork" />
      <p className="mr-auto min-w-0">
        <RunStatusMark run={run} />
      </p>
      <p className="text-muted" role="status">
        {served === 1 ? "1 call" : `${served} calls`} served from the recording, free
      </p>
      <Button size="sm" className="max-sm:flex-1" disabled={control.running} onClick={() => runs.getState().show(from)}>
        Back to the recorded run
      </Button>
      <Button
        size="sm"
        className="max-sm:flex-1"
        icon="git-compare"
        disabled={!saved}
        onClick={() => navigate(`/runs/compare?left=${from}&right=${run.runId}`)}
      >
        Compare
      </Button>
      <Button
        size="sm"
        className="max-sm:flex-1"
        icon="history"
        disabled={!saved}
        onClick={() => navigate(`/runs/${run.runId}`)}
      >
        Step through the fork
      </Button>
    </section>
  );
}
