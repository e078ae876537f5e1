import { useState } from "react";
import type { Evaluation } from "../../evaluation/result/evaluation.ts";
import { recounted } from "../../evaluation/result/summarise.ts";
import { evaluationNotes } from "../../evaluation/run/run-evaluation.ts";
import type { TrialResult } from "../../evaluation/run/trial-result.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import type { StoredEvaluation } from "../../services/services.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { formatCost } from "../../ui/text/format-amount.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { AskedCalls } from "./asked-calls.tsx";
import { ImproveButton } from "./improve-button.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { ResultPicker } from "./result-picker.tsx";
import { ResultsGrid } from "./results-grid.tsx";
import { plannedTrials, type RunnableSuite, summaryOf } from "../../state/evaluation/open-suite.ts";
import type { SuiteRun } from "./run-suite.ts";
import { measuredWords, statusLooks, waitWords } from "./suite-text.ts";
import { useEvaluations, useSuiteChanges, useSuiteRun, useTrials } from "./use-suites.ts";

/** What an evaluation of a suite proves, the last one at first and compared with an earlier one if wanted; or the one under way. */
export function ResultsSection({ open, onAddCases }: { open: RunnableSuite; onAddCases: () => void }) {
  const suiteId = open.stored.id;
  const evaluations = useEvaluations(suiteId);
  const running = useSuiteRun(suiteId);
  const [picked, setPicked] = useState({ shown: "", against: "", of: "" });
  const newest = evaluations.data?.[0];
  // What was picked before a new result came is of no interest any more.
  const { shown, against } = picked.of === newest?.id ? picked : { shown: "", against: "" };
  const last = evaluations.data?.find(({ id }) => id === shown) ?? newest;
  const before = evaluations.data?.find(({ id, summary }) => id === against && summary !== null);
  const trials = useTrials(running ? undefined : last?.id);
  const beforeTrials = useTrials(running ? undefined : before?.id);
  const { label } = useSuiteChanges();
  if (open.cases.length === 0) {
    return (
      <EmptyState icon="flask-conical" title="No cases yet" action={<Button onClick={onAddCases}>Add cases</Button>}>
        A case is an input and what is expected of it.
      </EmptyState>
    );
  }
  // The grid stays where it is when the run ends, so that a case that was opened stays open.
  if (running) {
    return (
      <div className="flex flex-col gap-4">
        <Progress run={running} />
        <AskedCalls asks={running.asks} />
        <ResultsGrid evaluation={summaryOf(open, running.results, running.planned)} />
      </div>
    );
  }
  if (evaluations.isPending) return <ListSkeleton label="Loading the results" />;
  if (evaluations.isLoadingError)
    return <LoadFailure error={evaluations.error} onRetry={() => void evaluations.refetch()} />;
  if (last === undefined) {
    return (
      <EmptyState icon="play" title="Not run yet">
        {open.cases.length === 1 ? "One case is" : `${open.cases.length} cases are`} ready to be tried.
      </EmptyState>
    );
  }
  if (trials.isPending) return <ListSkeleton label="Loading the trials" />;
  if (trials.isLoadingError) return <LoadFailure error={trials.error} onRetry={() => void trials.refetch()} />;
  const versions = measuredWords(last.measured);
  const evaluation = {
    ...evaluationOf(open, last, trials.data, before && { ...before, trials: beforeTrials.data }),
    ...(versions ? { measured: versions } : {}),
  };
  const look = statusLooks[last.summary === null ? last.status : evaluation.status];
  const notes = evaluationNotes({ ...open, cases: open.cases.map((one) => one.case), registry: nodeRegistry });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-4">
        {last.summary === null && (
          <Unfinished open={open} made={trials.data.length} isSame={last.digest === open.digest} />
        )}
        {last.summary !== null && last.digest !== open.digest && (
          <Notice title="The suite or its workflow has changed since">Run it again to see what is true now.</Notice>
        )}
        {notes.length > 0 && (
          <Notice tone="warning" title="Worth knowing">
            <ul>
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </Notice>
        )}
        {evaluations.data.length > 1 && (
          <ResultPicker
            evaluations={evaluations.data}
            shown={last.id}
            against={before?.id ?? ""}
            onPick={(next) => setPicked({ ...next, of: newest?.id ?? "" })}
          />
        )}
        <header className="flex flex-wrap items-center gap-2">
          <Badge tone={look.tone}>{look.words}</Badge>
          <p className="mr-auto text-sm text-muted numeric">
            {formatMoment(Date.parse(last.createdAt))} · {formatCost(evaluation.spentUsd)}
            {versions && ` · suite ${versions.suite} on workflow ${versions.workflow}`}
          </p>
          <ImproveButton open={open} evaluation={evaluation} />
          <ExportMenu evaluation={evaluation} />
        </header>
      </div>
      <ResultsGrid
        evaluation={evaluation}
        before={before && beforeTrials.data}
        onLabel={(trial, said) => label.mutate({ evaluationId: last.id, trial, label: said })}
      />
    </div>
  );
}

/** A stored evaluation with its trials; compared with an earlier one, it is judged anew by the suite as it is now. */
function evaluationOf(
  open: RunnableSuite,
  { summary }: StoredEvaluation,
  trials: readonly TrialResult[],
  before: (StoredEvaluation & { trials: readonly TrialResult[] | undefined }) | undefined,
): Evaluation {
  const planned = summary?.planned ?? plannedTrials(open);
  const baseline = before?.summary ? storedResult(before.summary, before.trials) : undefined;
  if (summary && baseline === undefined) return recounted({ ...summary, trials: [...trials] });
  return summaryOf(open, trials, planned, baseline);
}

/** A stored result; until its trials are there, as it was stored. */
function storedResult(summary: Omit<Evaluation, "trials">, trials: readonly TrialResult[] | undefined): Evaluation {
  return trials === undefined ? { ...summary, trials: [] } : recounted({ ...summary, trials: [...trials] });
}

/** An evaluation that was stopped, or whose tab was closed. */
function Unfinished({ open, made, isSame }: { open: RunnableSuite; made: number; isSame: boolean }) {
  const { run } = useSuiteChanges();
  const suiteId = open.stored.id;
  const kept = made === 1 ? "1 finished trial is kept." : `${made} finished trials are kept.`;
  if (!isSame) {
    return (
      <Notice tone="warning" title="This evaluation was not finished">
        {kept} The suite or its workflow has changed since, so it cannot be gone on with.
      </Notice>
    );
  }
  return (
    <Notice
      tone="warning"
      title="This evaluation was not finished"
      action={
        <Button icon="play" busy={run.isPending} onClick={() => run.mutate({ suiteId, resume: true })}>
          Go on
        </Button>
      }
    >
      {kept}
    </Notice>
  );
}

function Progress({ run: { results, planned, restMs } }: { run: SuiteRun }) {
  const spent = results.reduce((sum, { spentUsd }) => sum + (spentUsd ?? 0), 0);
  return (
    <section aria-label="Progress" className="flex flex-col gap-2 rounded-lg border bg-surface p-4">
      <p role="status" className="numeric text-sm">
        {results.length} of up to {planned} trials · {formatCost(spent)} so far
        {restMs !== undefined && ` · about ${waitWords(restMs)} left`}
      </p>
      <div
        role="progressbar"
        aria-label="Finished trials"
        aria-valuenow={results.length}
        aria-valuemin={0}
        aria-valuemax={planned}
        className="h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <div
          className="h-full rounded-full bg-accent"
          style={{ width: `${(100 * results.length) / Math.max(1, planned)}%` }}
        />
      </div>
      <p className="text-xs text-muted">
        Every finished trial is kept. You may leave this page; the tab has to stay open.
      </p>
    </section>
  );
}
