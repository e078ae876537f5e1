import { useState } from "react";
import type { RunStatus } from "../../engine/run/run-state.ts";
import { usePanelStore } from "../../state/editor/panel-store.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { formatCost, formatTokens } from "../../ui/text/format-amount.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { DetailSection, Facts } from "./detail-section.tsx";
import { GoToNode } from "./go-to-node.tsx";
import { loopTitle } from "./loop-title.ts";
import { StateMark } from "./state-mark.tsx";
import { stepLook } from "./step-look.ts";
import { stepDuration, stepPreview } from "./step-facts.ts";
import { spendingWords } from "./spending.ts";
import type { StepRow } from "./step-rows.ts";

/** Lines shown at first; a model may call a thousand tools at once. */
const mostChildren = 50;

type LoopRow = Extract<StepRow, { kind: "round" | "iteration" }>;

/** One iteration or one round of an agent: what it cost, and what it consists of with the way to each. */
export function LoopDetail(props: { row: LoopRow; rows: readonly StepRow[]; status: RunStatus }) {
  const { row, rows, status } = props;
  const choose = usePanelStore((state) => state.chooseStep);
  const below = rowsBelow(row, rows);
  const children = below.filter((next) => next.depth === row.depth + 1);
  const [most, setMost] = useState(mostChildren);
  const rest = children.length - most;
  const steps = below.flatMap((next) => (next.kind === "step" ? [next.step] : []));
  return (
    <>
      <DetailSection title={loopTitle(row)} aside={<GoToNode nodeId={row.nodeId} />}>
        <Facts
          facts={[
            ["Round", row.kind === "iteration" && row.round > 1 ? String(row.round) : undefined],
            ["Model calls", String(steps.filter(({ kind }) => kind === "model").length)],
            ["Tool calls", String(steps.filter(({ kind }) => kind === "tool").length)],
            ["Tokens", formatTokens(row.spent.tokens)],
            ["Cost", formatCost(row.spent.costUsd)],
          ]}
        />
      </DetailSection>
      <ul className="py-1">
        {children.slice(0, most).map((next) => (
          <li key={next.id}>
            <button
              type="button"
              className="flex w-full items-center gap-2 px-4 py-1.5 text-left hover:bg-hover"
              onClick={() => choose(next.id)}
            >
              <RowWords row={next} status={status} />
            </button>
          </li>
        ))}
        {rest > 0 && (
          <li className="px-4 py-1.5">
            <Button size="sm" variant="ghost" onClick={() => setMost(most + mostChildren * 4)}>
              Show {Math.min(rest, mostChildren * 4)} of {rest} more
            </Button>
          </li>
        )}
      </ul>
    </>
  );
}

function RowWords({ row, status }: { row: StepRow; status: RunStatus }) {
  if (row.kind === "iteration") {
    return (
      <>
        <span className="flex-1">{loopTitle(row)}</span>
        <span className="text-xs text-muted numeric">{spendingWords(row.spent)}</span>
      </>
    );
  }
  if (row.kind !== "step") return null;
  const look = stepLook(row.step, status);
  const duration = stepDuration(row.step);
  return (
    <>
      <span className="shrink-0">{look.title}</span>
      <span className="min-w-0 flex-1 truncate text-xs text-muted">{stepPreview(row.step)}</span>
      <span className="text-xs text-muted numeric">{duration !== null && formatDuration(duration)}</span>
      <StateMark state={look.state} />
    </>
  );
}

/** The lines below a round or an iteration, those of agents inside its tool calls left out. */
function rowsBelow(row: LoopRow, rows: readonly StepRow[]): StepRow[] {
  const after = rows.slice(rows.indexOf(row) + 1);
  const end = after.findIndex((next) => next.depth <= row.depth);
  const below = end < 0 ? after : after.slice(0, end);
  const deepest = row.depth + (row.kind === "round" ? 2 : 1);
  return below.filter((next) => next.depth <= deepest);
}
