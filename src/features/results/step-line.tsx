import { memo } from "react";
import type { RunState } from "../../engine/run/run-state.ts";
import { classNames } from "../../ui/theme/class-names.ts";
import { Countdown } from "../../ui/feedback/countdown.tsx";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { loopTitle } from "./loop-title.ts";
import { NodeLine } from "./node-line.tsx";
import { RunStatusMark } from "./run-status-mark.tsx";
import { stepLook } from "./step-look.ts";
import { StabilityMark } from "./stability-mark.tsx";
import { StateMark } from "./state-mark.tsx";
import { stepDuration, stepPreview } from "./step-facts.ts";
import { addSpending, noSpending, spendingWords } from "./spending.ts";
import type { StepRow } from "./step-rows.ts";

const base = "flex h-full min-w-0 cursor-default items-center gap-2 pr-3 text-sm select-none";
/** Left out where the list is narrow. */
const spending = "ml-auto hidden shrink-0 text-xs text-muted numeric @md:inline";

/** One line of the list of steps. */
export const StepLine = memo(function StepLine(props: { row: StepRow; run: RunState; selected: boolean }) {
  const { row, run, selected } = props;
  const looks = classNames(base, selected ? "bg-accent-soft" : "hover:bg-hover");
  const style = { paddingLeft: 12 + row.depth * 16 };
  if (row.kind === "run") {
    return (
      <div className={classNames(looks, "font-medium")} style={style}>
        <RunStatusMark run={run} />
        <span className="ml-auto text-xs font-normal text-muted numeric">{runTime(run)}</span>
      </div>
    );
  }
  if (row.kind === "node") {
    return (
      <div className={looks} style={style}>
        <NodeLine nodeId={row.nodeId} node={row.node} runStatus={run.status} />
      </div>
    );
  }
  if (row.kind === "round" || row.kind === "iteration") {
    return (
      <div className={classNames(looks, "gap-1! text-xs text-muted")} style={style}>
        <span className="font-medium">{loopTitle(row)}</span>
        {row.item !== undefined && <span>· item {row.item + 1}</span>}
        <span className={spending}>{spendingWords(row.spent)}</span>
      </div>
    );
  }
  const look = stepLook(row.step, run.status);
  const duration = stepDuration(row.step);
  return (
    <div className={looks} style={style}>
      <span className={look.tint}>
        <Icon name={look.icon} size={14} />
      </span>
      <span className="max-w-[60%] shrink-0 truncate">{look.title}</span>
      {row.step.replayed && (
        <span
          role="img"
          aria-label="Served from the recording"
          title="Served from the recording"
          className="text-faint"
        >
          <Icon name="history" size={12} />
        </span>
      )}
      <span className="min-w-0 flex-1 truncate text-xs text-muted">{stepPreview(row.step)}</span>
      {row.step.kind === "note" && row.step.event.type === "retry" && run.status === "running" && (
        <span className="shrink-0 text-xs text-warning numeric">
          <Countdown until={row.step.event.at + row.step.event.delayMs} />
        </span>
      )}
      {row.step.kind === "model" && <StabilityMark runId={run.runId} callId={row.step.id} />}
      <span className={spending}>{spendingWords(addSpending(noSpending, row.step))}</span>
      {duration !== null && <span className="text-xs text-muted numeric">{formatDuration(duration)}</span>}
      <StateMark state={look.state} />
    </div>
  );
});

function runTime(run: RunState): string {
  return run.startedAt !== undefined && run.endedAt !== undefined ? formatDuration(run.endedAt - run.startedAt) : "";
}
