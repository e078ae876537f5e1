import { memo } from "react";
import type { NodeStatus } from "../../engine/run/run-state.ts";
import { useEditor, useRunStore } from "../../state/editor/editor-context.tsx";
import { currentRun } from "../../state/run/run-store.ts";
import { wasStopped } from "../../state/run/was-stopped.ts";
import { Countdown } from "../../ui/feedback/countdown.tsx";
import { Elapsed } from "./elapsed.tsx";
import { spriteId } from "./icon-sprite.tsx";
import { runText } from "./run-text.ts";
import { NodeApproval } from "./node-answers.tsx";
import { NodePause } from "./node-answers.tsx";
import { NodeEnding } from "./node-answers.tsx";

const icons: Record<NodeStatus, string | null> = {
  waiting: "clock",
  running: null,
  approval: "hand",
  paused: "pause",
  done: "check",
  rejected: "hand",
  failed: "triangle-alert",
  skipped: "minus",
};

/** The state of the last or current run on a card; renders nothing before the first run. */
export const NodeRun = memo(function NodeRun({ id }: { id: string }) {
  const { canvas } = useEditor();
  const run = useRunStore((state) => currentRun(state)?.nodes[id]);
  const live = useRunStore((state) => currentRun(state)?.status === "running");
  const held = useRunStore((state) => state.heldAt !== null);
  if (run === undefined || (run.status === "waiting" && !live)) return null;
  const ending = run.status === "done" ? run.ending : undefined;
  const stopped = wasStopped(run);
  const icon = ending ? "flag" : stopped ? "square" : icons[run.status];
  const showsText = run.status === "running" && run.text !== "";
  const showOutput = () => canvas.getState().set({ inspectorTab: "output" });
  return (
    <>
      <div className="card-run" data-status={stopped ? "stopped" : run.status} data-ending={ending?.finish}>
        {icon !== null && (
          <svg aria-hidden>
            <use href={`#${spriteId(icon)}`} />
          </svg>
        )}
        {runText(run)} {run.retry && <Countdown until={run.retry.until} />}
        {live &&
          !held &&
          run.status === "running" &&
          run.startedAt !== undefined &&
          !run.retry &&
          run.waitUntil === undefined && <Elapsed since={run.startedAt} />}
      </div>
      {showsText && <div className="card-stream">{run.text.slice(-240).replaceAll(/\n{2,}/g, "\n")}</div>}
      {run.status === "failed" && !stopped && run.error && (
        <button type="button" className="card-error nodrag" title={run.error.hint} onClick={showOutput}>
          {run.error.message}
        </button>
      )}
      {ending && <NodeEnding ending={ending} />}
      {run.status === "approval" && <NodeApproval id={id} />}
      {run.status === "paused" && <NodePause id={id} />}
    </>
  );
});
