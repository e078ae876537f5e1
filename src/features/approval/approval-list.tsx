import type { RunState } from "../../engine/run/run-state.ts";
import type { PendingApproval } from "../../state/run/approval-store.ts";
import { useApprovalStore, useRunStore } from "../../state/editor/editor-context.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { CallSet } from "./call-set.tsx";
import { inSets, isPlainCall } from "./call-sets.ts";

/** Calls that one agent makes of one tool are one question, unless the person has turned to one of them. */
function setOf(request: PendingApproval, apart: ReadonlySet<string>): string | undefined {
  return isPlainCall(request) && !apart.has(request.callId)
    ? `${request.runId} ${request.nodeId} ${request.toolName}`
    : undefined;
}

/** The card of one waiting tool call with those that are answered with it, or of a form; nothing once it is decided. */
export function InlineApproval({ callId }: { callId: string }) {
  const pending = useApprovalStore((state) => state.pending);
  const apart = useApprovalStore((state) => state.apart);
  const set = inSets(pending, (call) => setOf(call, apart)).find((calls) =>
    calls.some((call) => call.callId === callId),
  );
  if (set === undefined) return null;
  return (
    <div className="border-t p-2">
      {set[0]?.callId === callId ? (
        <Waiting calls={set} />
      ) : (
        <p className="text-sm text-muted">Answered together with the call of {set[0]?.toolName} above.</p>
      )}
    </div>
  );
}

/** One question for one or several calls. */
function Waiting({ calls }: { calls: readonly PendingApproval[] }) {
  const decide = useApprovalStore((state) => state.decide);
  const keepApart = useApprovalStore((state) => state.keepApart);
  const [first] = calls;
  if (first === undefined) return null;
  const ids = calls.map(({ callId }) => callId);
  if (calls.length === 1) {
    return (
      // What is typed stays when another call joins.
      <div onInput={() => keepApart(ids)}>
        <ApprovalCard key={first.callId} request={first} />
      </div>
    );
  }
  return (
    <CallSet
      calls={calls.map((request) => ({ id: request.callId, request }))}
      label={`Approve ${calls.length} calls of ${first.toolName}`}
      onDecide={(decided) => {
        for (const { id, decision } of decided) decide(id, decision);
      }}
      onSplit={() => keepApart(ids)}
    >
      <p>
        {calls.length} calls of <strong className="font-semibold">{first.toolName}</strong> wait for your approval
      </p>
    </CallSet>
  );
}

/**
 * Every tool call that waits for a person, each with its buttons; nothing while none waits. `nestedOnly` leaves out those
 * that stand in the conversation of a chat already.
 */
export function ApprovalList({ nestedOnly = false }: { nestedOnly?: boolean }) {
  const pending = useApprovalStore((state) => state.pending);
  const apart = useApprovalStore((state) => state.apart);
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
        {inSets(shown, (call) => setOf(call, apart)).map((calls) => (
          <Waiting key={calls[0]?.callId} calls={calls} />
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
