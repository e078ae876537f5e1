import { useMemo } from "react";
import type { RunState } from "../../engine/run/run-state.ts";
import { usePanelStore } from "../../state/editor/panel-store.ts";
import { VirtualList } from "../../ui/data/virtual-list.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { LoopDetail } from "./loop-detail.tsx";
import { MasterDetail } from "../../ui/layout/master-detail.tsx";
import { NodeDetail } from "./node-detail.tsx";
import { NoRun } from "./no-run.tsx";
import { useShownRun } from "./use-shown-run.ts";
import { RunSummaryDetail } from "./run-summary-detail.tsx";
import { StepDetail } from "./step-detail.tsx";
import { StepLine } from "./step-line.tsx";
import { runRowId, type StepRow, stepRows } from "./step-rows.ts";

/** What the run did, step by step, and each step in full. */
export function StepsPanel() {
  const run = useShownRun();
  const stepId = usePanelStore((state) => state.stepId);
  const choose = usePanelStore((state) => state.chooseStep);
  const rows = useMemo(() => (run ? stepRows(run) : []), [run]);
  if (run === undefined) return <NoRun />;

  const selected = rows.findIndex((row) => row.id === (stepId ?? runRowId));
  const chosen = rows[selected];
  const open = (index: number) => choose(rows[index]?.id ?? null);
  const list = (
    <>
      {/* Where the detail is shown as well, it says this. */}
      {run.error && run.status !== "cancelled" && (
        <div className="max-h-[50%] shrink-0 overflow-y-auto border-b p-2 @2xl:hidden stacked:hidden">
          <ErrorNotice error={run.error} runId={run.runId} />
        </div>
      )}
      <VirtualList
        label="Steps"
        count={rows.length}
        rowHeight={32}
        className="@container min-h-0 flex-1"
        renderRow={(index) => {
          const row = rows[index];
          return row && <StepLine row={row} run={run} selected={index === selected} />;
        }}
        rowKey={(index) => rows[index]?.id ?? String(index)}
        selected={selected < 0 ? null : selected}
        onSelect={open}
        onOpen={open}
        followEnd={run.status === "running"}
      />
    </>
  );
  const detail = chosen ? <RowDetail row={chosen} rows={rows} run={run} /> : <RunSummaryDetail run={run} />;
  return <MasterDetail list={list} detail={detail} chosen={stepId !== null} onBack={() => choose(null)} stacks />;
}

function RowDetail({ row, rows, run }: { row: StepRow; rows: readonly StepRow[]; run: RunState }) {
  switch (row.kind) {
    case "run":
      return <RunSummaryDetail run={run} />;
    case "node":
      return <NodeDetail key={row.id} nodeId={row.nodeId} node={row.node} />;
    case "round":
    case "iteration":
      return <LoopDetail key={row.id} row={row} rows={rows} status={run.status} />;
    case "step":
      return <StepDetail key={row.id} step={row.step} />;
    default:
      return row satisfies never;
  }
}
