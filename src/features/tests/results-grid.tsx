import { useState } from "react";
import type { CaseSummary, Evaluation, VariantSummary } from "../../evaluation/result/evaluation.ts";
import { judgeAgreement } from "../../evaluation/result/judge-agreement.ts";
import type { TrialResult } from "../../evaluation/run/trial-result.ts";
import { percent } from "../../evaluation/statistics/words.ts";
import { Badge, type BadgeTone } from "../../ui/feedback/badge.tsx";
import { formatCost } from "../../ui/text/format-amount.ts";
import { Icon, type IconName } from "../../ui/icons/icon.tsx";
import { type ComparedRun, type OnLabel, TrialLine } from "./trial-line.tsx";
import { ScrolledTable } from "../../ui/layout/scrolled-table.tsx";

const looks: Readonly<Record<CaseSummary["state"], { icon: IconName; tint: string; words: string }>> = {
  passing: { icon: "circle-check", tint: "text-success", words: "Passes" },
  failing: { icon: "circle-x", tint: "text-danger", words: "Fails every time" },
  mixed: { icon: "triangle-alert", tint: "text-warning", words: "Fails at times" },
  unchecked: { icon: "circle-alert", tint: "text-warning", words: "Nothing was checked" },
  unknown: { icon: "minus", tint: "text-muted", words: "Nothing counts yet" },
};

const checkLooks: Readonly<
  Record<VariantSummary["gate"]["checks"][number]["status"], { words: string; tone: BadgeTone }>
> = {
  passed: { words: "Passed", tone: "success" },
  failed: { words: "Failed", tone: "danger" },
  "too-little-evidence": { words: "Too little evidence", tone: "warning" },
  skipped: { words: "Not checked", tone: "neutral" },
};

interface ResultsGridProps {
  evaluation: Evaluation;
  /** Of the result that it is compared with. */
  before?: readonly TrialResult[] | undefined;
  onLabel?: OnLabel | undefined;
}

/** Cases by versions, with intervals; a case opens to its trials, which a person may label once they are stored. */
export function ResultsGrid({ evaluation, before, onLabel }: ResultsGridProps) {
  const { variants, trials } = evaluation;
  const [opened, setOpened] = useState<string | null>(null);
  const cases = variants[0]?.cases.map(({ caseId }) => caseId) ?? [];
  const agreement = judgeAgreement(trials);
  return (
    <div className="flex flex-col gap-4">
      {variants.map((variant) => (
        <VariantWords key={variant.variant} summary={variant} isOneOfMany={variants.length > 1} />
      ))}
      {agreement !== undefined && <p className="numeric text-sm">{agreement}</p>}
      <ScrolledTable label="Results of the cases" className="rounded-lg border bg-surface">
        <table className="w-full text-left text-sm">
          <thead className="border-b text-xs text-muted">
            <tr>
              <th scope="col" className="px-4 py-2 font-medium">
                Case
              </th>
              {variants.map(({ variant }) => (
                <th key={variant} scope="col" className="px-4 py-2 font-medium">
                  {variants.length > 1 ? variant : "Passed"}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cases.map((caseId) => (
              <CaseRows
                key={caseId}
                caseId={caseId}
                variants={variants}
                trials={trials.filter((trial) => trial.caseId === caseId)}
                before={before}
                open={opened === caseId}
                onLabel={onLabel}
                onToggle={() => setOpened(opened === caseId ? null : caseId)}
              />
            ))}
          </tbody>
        </table>
      </ScrolledTable>
    </div>
  );
}

function VariantWords({ summary, isOneOfMany }: { summary: VariantSummary; isOneOfMany: boolean }) {
  const { variant, words, gate, comparison, excludedBy, alwaysFailing, meanCostUsd, p95LatencyMs } = summary;
  const excluded = Object.entries(excludedBy).map(([code, count]) => `${count} × ${code}`);
  return (
    <section aria-label={`Result: ${variant}`} className="flex flex-col gap-1 text-sm">
      {isOneOfMany && <h2 className="font-medium">{variant}</h2>}
      <p className="numeric">{words}</p>
      {comparison && <p className="numeric">{comparison.words}</p>}
      {comparison && comparison.worse.length > 0 && <p>Worse: {comparison.worse.join(", ")}.</p>}
      {alwaysFailing.length > 0 && <p>Fails every time: {alwaysFailing.join(", ")}.</p>}
      {excluded.length > 0 && (
        <p className="text-muted">Not counted, since they say nothing of the agent: {excluded.join(", ")}.</p>
      )}
      {p95LatencyMs !== null && (
        <p className="numeric text-xs text-muted">
          A trial on average: {formatCost(meanCostUsd)}. 95 of 100 take up to {Math.round(p95LatencyMs)} ms.
        </p>
      )}
      {gate.checks.map(({ name, status, message }) => (
        <p key={name} className="flex flex-wrap items-center gap-2">
          <Badge tone={checkLooks[status].tone}>{checkLooks[status].words}</Badge>
          <span className="min-w-0 flex-1">{message}</span>
        </p>
      ))}
    </section>
  );
}

interface CaseRowsProps {
  caseId: string;
  variants: readonly VariantSummary[];
  trials: readonly TrialResult[];
  before: readonly TrialResult[] | undefined;
  open: boolean;
  onLabel: OnLabel | undefined;
  onToggle(): void;
}

function CaseRows({ caseId, variants, trials, before, open, onLabel, onToggle }: CaseRowsProps) {
  return (
    <>
      <tr className="border-b last:border-b-0">
        <th scope="row" className="max-w-80 px-2 py-1 font-normal">
          <button
            type="button"
            aria-expanded={open}
            className="flex w-full items-center gap-1.5 rounded-md px-2 py-1.5 text-left hover:bg-hover"
            onClick={onToggle}
          >
            <Icon name={open ? "chevron-down" : "chevron-right"} size={14} />
            <span className="min-w-0 wrap-anywhere">{caseId}</span>
          </button>
        </th>
        {variants.map(({ variant, cases }) => {
          const summary = cases.find((one) => one.caseId === caseId);
          return (
            <td key={variant} className="px-4 py-2 whitespace-nowrap">
              {summary && <Cell summary={summary} />}
            </td>
          );
        })}
      </tr>
      {open && (
        <tr className="border-b last:border-b-0">
          <td colSpan={variants.length + 1} className="bg-canvas px-4 py-3">
            {onLabel && trials.length > 0 && (
              <p className="pb-2 text-xs text-muted">
                Label answers: <kbd>Y</kbd> right, <kbd>N</kbd> wrong, <kbd>↑</kbd> <kbd>↓</kbd> the next one.
              </p>
            )}
            <ul aria-label={`Trials of ${caseId}`} className="flex flex-col gap-2">
              {trials.length === 0 && <li className="text-muted">No trial is finished yet.</li>}
              {trials.map((trial) => (
                <TrialLine
                  key={`${trial.variant} ${trial.trial}`}
                  trial={trial}
                  named={variants.length > 1}
                  compared={comparedRun(trial, trials, before)}
                  onLabel={onLabel}
                />
              ))}
            </ul>
          </td>
        </tr>
      )}
    </>
  );
}

/** The same trial of the earlier result; without one, of the first version. A run that is gone has no id. */
export function comparedRun(
  { variant, caseId, trial }: TrialResult,
  trials: readonly TrialResult[],
  before: readonly TrialResult[] | undefined,
): ComparedRun | undefined {
  const same = (before ?? trials).filter((one) => one.caseId === caseId && one.trial === trial && one.runId !== "");
  const found = before ? (same.find((one) => one.variant === variant) ?? same[0]) : same[0];
  if (!found || (!before && found.variant === variant)) return undefined;
  return { runId: found.runId, words: before ? "the earlier result" : found.variant };
}

function Cell({ summary }: { summary: CaseSummary }) {
  const { passed, trials, excluded, unchecked, interval, state, words } = summary;
  const look = looks[state];
  return (
    <span className="flex items-center gap-2 numeric" title={words}>
      <span className={look.tint}>
        <Icon name={look.icon} size={16} />
        <span className="sr-only">{look.words}</span>
      </span>
      {(trials > 0 || unchecked === 0) && (
        <span>
          {passed} of {trials}
        </span>
      )}
      {trials > 0 && (
        <span className="text-xs text-muted">
          {percent(interval.low)} to {percent(interval.high)}
        </span>
      )}
      {excluded > 0 && <Badge tone="warning">{excluded} not counted</Badge>}
      {unchecked > 0 && <Badge tone="warning">{trials > 0 ? `${unchecked} not checked` : "Nothing checked"}</Badge>}
    </span>
  );
}
