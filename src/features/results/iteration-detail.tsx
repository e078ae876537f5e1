import type { RunStatus } from "../../engine/run/run-state.ts";
import { usePanelStore } from "../../stores/panel-store.ts";
import { formatCost, formatTokens } from "../../ui/format-amount.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import { DetailSection, Facts } from "./detail-section.tsx";
import { GoToNode } from "./go-to-node.tsx";
import { modelTotals } from "./model-totals.ts";
import { StateMark } from "./state-mark.tsx";
import { stepLook } from "./step-look.ts";
import { stepDuration, stepPreview } from "./step-facts.ts";
import type { StepRow } from "./step-rows.ts";

type IterationRow = Extract<StepRow, { kind: "iteration" }>;

/** One iteration of an agent: what it cost, and its calls with the way to each. */
export function IterationDetail(props: { row: IterationRow; rows: readonly StepRow[]; status: RunStatus }) {
  const { row, rows, status } = props;
  const choose = usePanelStore((state) => state.chooseStep);
  const steps = stepsOf(row, rows);
  const totals = modelTotals({ steps });
  const tokens = totals.reduce((sum, total) => sum + total.inputTokens + total.outputTokens, 0);
  const cost = totals.reduce<number | null>(
    (sum, total) => (sum === null || total.costUsd === null ? null : sum + total.costUsd),
    0,
  );
  return (
    <>
      <DetailSection title={`Iteration ${row.iteration}`} aside={<GoToNode nodeId={row.nodeId} />}>
        <Facts
          facts={[
            ["Round", String(row.round)],
            ["Model calls", String(steps.filter(({ kind }) => kind === "model").length)],
            ["Tool calls", String(steps.filter(({ kind }) => kind === "tool").length)],
            ["Tokens", formatTokens(tokens)],
            ["Cost", formatCost(cost)],
          ]}
        />
      </DetailSection>
      <ul className="py-1">
        {steps.map((step) => {
          const look = stepLook(step, status);
          const duration = stepDuration(step);
          return (
            <li key={step.id}>
              <button
                type="button"
                className="flex w-full items-center gap-2 px-4 py-1.5 text-left hover:bg-hover"
                onClick={() => choose(step.id)}
              >
                <span className="shrink-0">{look.title}</span>
                <span className="min-w-0 flex-1 truncate text-xs text-muted">{stepPreview(step)}</span>
                <span className="text-xs text-muted numeric">{duration !== null && formatDuration(duration)}</span>
                <StateMark state={look.state} />
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** The steps below an iteration's line, those of agents inside its tool calls left out. */
function stepsOf(row: IterationRow, rows: readonly StepRow[]) {
  const after = rows.slice(rows.indexOf(row) + 1);
  const end = after.findIndex((next) => next.depth <= row.depth);
  const below = end < 0 ? after : after.slice(0, end);
  return below.flatMap((next) => (next.kind === "step" && next.depth === row.depth + 1 ? [next.step] : []));
}
