import type { RunState } from "../../engine/run/run-state.ts";
import type { PendingApproval } from "../../state/run/approval-store.ts";
import { useApprovalStore, useRunStore } from "../../state/editor/editor-context.tsx";
import { ApprovalCard } from "./approval-card.tsx";

/** The card of one waiting tool call, or of a form; nothing once it is decided. */
export function InlineApproval({ callId }: { callId: string }) {
  const request = useApprovalStore((state) => state.pending.find((one) => one.callId === callId));
  if (request === undefined) return null;
  return (
    <div className="border-t p-2">
      <ApprovalCard request={request} />
    </div>
  );
}

/**
 * Every tool call that waits for a person, each with its buttons; nothing while none waits. `nestedOnly` leaves out those
 * that stand in the conversation of a chat already.
 */
export function ApprovalList({ nestedOnly = false }: { nestedOnly?: boolean }) {
  const pending = useApprovalStore((state) => state.pending);
  // The call may reach the run's state a frame after the question.
  const told = useRunStore(({ runs }) =>
    pending.flatMap((request) => (isTold(runs[request.runId], request) ? [request.callId] : [])).join("\n"),
  );
  const inConversation = new Set(told.split("\n"));
  const shown = nestedOnly ? pending.filter(({ callId }) => !inConversation.has(callId)) : pending;
  if (shown.length === 0) return null;
  return (
    <section aria-label="Waiting for approval" className="max-h-[60%] shrink-0 overflow-y-auto border-t">
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-2 p-3">
        {shown.map((request) => (
          <ApprovalCard key={request.callId} request={request} />
        ))}
      </div>
    </section>
  );
}

/** Whether a chat shows the call in its conversation: calls by agents of the main flow, not those inside a tool call. */
function isTold(run: RunState | undefined, { callId }: PendingApproval): boolean {
  const call = run?.steps.findLast(
    (step) =>
      step.kind === "tool" && (step.id === callId || step.forms?.some(({ wait }) => wait.callId === callId) === true),
  );
  return call !== undefined && call.parentCallId === undefined;
}
