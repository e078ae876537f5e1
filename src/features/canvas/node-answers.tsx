import type { MouseEvent } from "react";
import type { AgentEnding } from "../../engine/agent/ending.ts";
import { askReason } from "../../engine/trust/provenance/unsaid-text.ts";
import { useApprovalStore, useEditor, usePauseStore } from "../../state/editor/editor-context.tsx";
import { usePanelStore } from "../../state/editor/panel-store.ts";
import { useSettled } from "../../ui/buttons/use-settled.ts";
import { useRememberAnswers } from "../../state/run/use-remember-answers.ts";
import type { PendingApproval } from "../../state/run/approval-store.ts";
import { showProblem } from "../../state/editor/show-node.ts";

/** A press on these buttons is an answer: it does not choose the node, which would open its settings. */
const staysUnselected = (event: MouseEvent) => event.stopPropagation();

/** Approve or reject right on the node that waits; a change that can be shown is looked at first, and a form answered, in the run panel. */
export function NodeApproval({ id }: { id: string }) {
  const request = useApprovalStore((state) => state.pending.find(({ toolNodeId }) => toolNodeId === id));
  return request === undefined ? null : <CallAnswer request={request} />;
}

function CallAnswer({ request }: { request: PendingApproval }) {
  const decide = useApprovalStore((state) => state.decide);
  const remember = useRememberAnswers();
  const show = usePanelStore((state) => state.show);
  const tab = usePanelStore((state) => state.tab);
  const settled = useSettled(request.callId);
  const because = askReason(request);
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
  const reject = () => {
    const decision = { approved: false as const, reason: "Rejected on the canvas." };
    remember(request, decision);
    decide(request.callId, decision);
  };
  return (
    <div className="card-approval nodrag nopan" onClick={staysUnselected}>
      {because !== undefined && <p title={because}>{because}</p>}
      {request.message !== undefined && <p title={request.message}>{request.message}</p>}
      {/* In the order of the card in the run panel. */}
      <button type="button" onClick={reject}>
        Reject
      </button>
      {request.preview === undefined && request.unsaid === undefined ? (
        <button type="button" className="card-approve" disabled={!settled} onClick={approve}>
          Approve
        </button>
      ) : (
        <button type="button" className="card-approve" onClick={() => show(tab)}>
          {request.preview === undefined ? "See call" : "See change"}
        </button>
      )}
    </div>
  );
}

/** Going on right from the node where the run is held; what goes in is edited in the run panel. */
export function NodePause({ id }: { id: string }) {
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
export function NodeEnding({ ending }: { ending: AgentEnding }) {
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
