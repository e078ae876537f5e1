import { ValueFiles } from "./value-files.tsx";
import { useLocation } from "wouter";
import { RunSources } from "../../state/run/run-sources.tsx";
import { useEditor, useRunStore } from "../../state/editor/editor-context.tsx";
import { editorDialogStore } from "../../state/editor/editor-dialog-store.ts";
import { finishMessage } from "../../state/run/finish-message.ts";
import { runStatusText } from "../../state/run/run-status-text.ts";
import type { RunState } from "../../engine/run/run-state.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { formatCost, formatTokens } from "../../ui/text/format-amount.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { JsonTree } from "../../ui/data/json-tree.tsx";
import { Markdown } from "../../ui/text/markdown.tsx";
import { DetailSection, Facts } from "./detail-section.tsx";
import { EndingNotice } from "./ending-notice.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { RunDownloads } from "./run-downloads.tsx";
import { modelTotals } from "./model-totals.ts";

/** The run as a whole: answer, error, tokens and cost, input and output, and the way to keep it. */
export function RunSummaryDetail({ run }: { run: RunState }) {
  const { readOnly } = useEditor();
  const [, navigate] = useLocation();
  const isStored = useRunStore(({ saving }) => (saving[run.runId]?.status ?? "saved") === "saved");
  const answer = answerOf(run);
  return (
    <>
      {run.error && run.status !== "cancelled" && (
        <div className="px-4 pt-3">
          <ErrorNotice error={run.error} runId={run.runId} />
        </div>
      )}
      {run.ending && run.status === "completed" && (
        <div className="px-4 pt-3">
          <EndingNotice ending={run.ending} />
        </div>
      )}
      <DetailSection title="Run" aside={run.startedAt === undefined ? undefined : formatMoment(run.startedAt)}>
        <Facts facts={runFacts(run)} />
        <div className="mt-2 flex flex-wrap items-center gap-1">
          {run.status !== "running" && readOnly === undefined && (
            <>
              <Button size="sm" icon="history" onClick={() => navigate(`/runs/${run.runId}`)}>
                Replay
              </Button>
              <Button
                size="sm"
                icon="share"
                disabled={!isStored}
                onClick={() => editorDialogStore.getState().show({ kind: "share-run", runId: run.runId })}
              >
                Share
              </Button>
              <Button
                size="sm"
                icon="flask-conical"
                disabled={!isStored}
                onClick={() => editorDialogStore.getState().show({ kind: "save-case", runId: run.runId })}
              >
                Save as test case
              </Button>
            </>
          )}
          <RunDownloads runId={run.runId} />
        </div>
      </DetailSection>
      {answer !== "" && (
        <DetailSection title="Answer" copy={() => answer}>
          <Markdown text={answer} streaming={run.status === "running"} />
          <RunSources run={run} />
        </DetailSection>
      )}
      <ModelTotals run={run} />
      <DetailSection title="Input" copy={() => JSON.stringify(run.input ?? null, null, 2)}>
        <JsonTree label="Input" value={run.input ?? null} openDepth={3} />
        <ValueFiles value={run.input} />
      </DetailSection>
      {run.output !== undefined && run.output !== null && (
        <DetailSection title="Output" copy={() => JSON.stringify(run.output, null, 2)}>
          <JsonTree label="Output" value={run.output} openDepth={3} />
          <ValueFiles value={run.output} />
        </DetailSection>
      )}
    </>
  );
}

function ModelTotals({ run }: { run: RunState }) {
  const totals = modelTotals(run);
  if (totals.length === 0) return null;
  return (
    <DetailSection title="Tokens and cost">
      <table className="w-full text-left text-sm numeric">
        <thead className="text-xs text-faint">
          <tr>
            <th className="font-normal">Model</th>
            <th className="text-right font-normal">Calls</th>
            <th className="text-right font-normal">In</th>
            <th className="text-right font-normal">Out</th>
            <th className="text-right font-normal">Cost</th>
          </tr>
        </thead>
        <tbody>
          {totals.map((total) => (
            <tr key={total.model}>
              <td className="wrap-anywhere">{total.model}</td>
              <td className="text-right">{total.calls}</td>
              <td className="text-right">{total.inputTokens.toLocaleString("en")}</td>
              <td className="text-right">{total.outputTokens.toLocaleString("en")}</td>
              <td className="text-right">{formatCost(total.costUsd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </DetailSection>
  );
}

function runFacts(run: RunState) {
  const tokens = run.usage.inputTokens + run.usage.outputTokens;
  const ended = run.startedAt !== undefined && run.endedAt !== undefined ? run.endedAt - run.startedAt : undefined;
  const count = (kind: "model" | "tool") => run.steps.filter((step) => step.kind === kind).length;
  return [
    ["Status", run.ending && run.status === "completed" ? finishMessage(run.ending.finish) : runStatusText[run.status]],
    ["Time", ended === undefined ? undefined : formatDuration(ended)],
    ["Model calls", String(count("model"))],
    ["Tool calls", String(count("tool"))],
    ["Tokens", formatTokens(tokens)],
    ["Cost", formatCost(run.costUsd)],
  ] as const;
}

function answerOf({ output }: RunState): string {
  if (typeof output === "string") return output;
  const isObject = typeof output === "object" && output !== null && !Array.isArray(output);
  return isObject && typeof output.response === "string" ? output.response : "";
}
