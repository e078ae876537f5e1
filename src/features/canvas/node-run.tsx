import { memo, type MouseEvent } from "react";
import type { AgentEnding } from "../../engine/agent/ending.ts";
import type { NodeStatus } from "../../engine/run/run-state.ts";
import { taintReason } from "../../engine/trust/taint.ts";
import { useApprovalStore, useEditor, usePauseStore, useRunStore } from "../../stores/editor-context.tsx";
import { usePanelStore } from "../../stores/panel-store.ts";
import { currentRun } from "../../stores/run-store.ts";
import { showProblem } from "../../stores/show-node.ts";
import { Countdown } from "../../ui/countdown.tsx";
import { Elapsed } from "./elapsed.tsx";
import { spriteId } from "./icon-sprite.tsx";
import { runText } from "./run-text.ts";

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

/** A press on these buttons is an answer: it does not choose the node, which would open its settings. */
const staysUnselected = (event: MouseEvent) => event.stopPropagation();

/** Approve or reject right on the node that waits; a change that can be shown is looked at first, and a form answered, in the run panel. */
function NodeApproval({ id }: { id: string }) {
  const request = useApprovalStore((state) => state.pending.find(({ toolNodeId }) => toolNodeId === id));
  const decide = useApprovalStore((state) => state.decide);
  const show = usePanelStore((state) => state.show);
  const tab = usePanelStore((state) => state.tab);
  if (request === undefined) return null;
  const because = taintReason(request.untrusted);
  if (request.form) {
    const decline = () => decide(request.callId, { approved: false, reason: "Declined on the canvas." });
    return (
      <div className="card-approval nodrag nopan" onClick={staysUnselected}>
        <button type="button" onClick={decline}>
          Decline
        </button>
        <button type="button" className="card-approve" onClick={() => show(tab)}>
          Answer
        </button>
      </div>
    );
  }
  const approve = () => decide(request.callId, { approved: true, input: request.input });
  return (
    <div className="card-approval nodrag nopan" onClick={staysUnselected}>
      {because !== undefined && <p title={because}>{because}</p>}
      {request.message !== undefined && <p title={request.message}>{request.message}</p>}
      {/* In the order of the card in the run panel. */}
      <button
        type="button"
        onClick={() => decide(request.callId, { approved: false, reason: "Rejected on the canvas." })}
      >
        Reject
      </button>
      {request.preview === undefined ? (
        <button type="button" className="card-approve" onClick={approve}>
          Approve
        </button>
      ) : (
        <button type="button" className="card-approve" onClick={() => show(tab)}>
          See change
        </button>
      )}
    </div>
  );
}

/** Going on right from the node where the run is held; what goes in is edited in the run panel. */
function NodePause({ id }: { id: string }) {
  const request = usePauseStore((state) => state.pending.find(({ atNodeId }) => atNodeId === id));
  const decide = usePauseStore((state) => state.decide);
  const goOn = usePauseStore((state) => state.goOn);
  const show = usePanelStore((state) => state.show);
  const tab = usePanelStore((state) => state.tab);
  if (request === undefined) return null;
  const { pauseId } = request;
  // An edit that cannot go in is mended where it is typed.
  const go = (action: "continue" | "step") => {
    if (goOn(pauseId, action)?.ok === false) show(tab);
  };
  return (
    <div className="card-approval nodrag nopan" onClick={staysUnselected}>
      <button type="button" className="card-approve" onClick={() => go("continue")}>
        Continue
      </button>
      <button type="button" onClick={() => go("step")}>
        Step
      </button>
      <button type="button" onClick={() => show(tab)}>
        Edit
      </button>
      <button type="button" onClick={() => decide(pauseId, { action: "stop" })}>
        Stop
      </button>
    </div>
  );
}

/** Why an agent stopped early; a click leads to the setting that decides it. */
function NodeEnding({ ending }: { ending: AgentEnding }) {
  const { canvas, readOnly } = useEditor();
  const { message, hint, setting } = ending;
  const canChange = setting !== undefined && readOnly === undefined;
  const open = () => (canChange ? showProblem(canvas, setting) : canvas.getState().set({ inspectorTab: "output" }));
  return (
    <button type="button" className="card-error nodrag" data-tone="warning" title={hint} onClick={open}>
      {message}
      {canChange && (
        <>
          {" "}
          <span className="underline underline-offset-2">{setting.action}</span>
        </>
      )}
    </button>
  );
}

/** The state of the last or current run on a card; renders nothing before the first run. */
export const NodeRun = memo(function NodeRun({ id }: { id: string }) {
  const { canvas } = useEditor();
  const run = useRunStore((state) => currentRun(state)?.nodes[id]);
  const live = useRunStore((state) => currentRun(state)?.status === "running");
  const held = useRunStore((state) => state.heldAt !== null);
  if (run === undefined || (run.status === "waiting" && !live)) return null;
  const ending = run.status === "done" ? run.ending : undefined;
  const icon = ending ? "flag" : icons[run.status];
  const showsText = run.status === "running" && run.text !== "";
  const showOutput = () => canvas.getState().set({ inspectorTab: "output" });
  return (
    <>
      <div className="card-run" data-status={run.status} data-ending={ending?.finish}>
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
      {run.status === "failed" && run.error && (
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
