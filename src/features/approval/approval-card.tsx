import type { PendingApproval } from "../../state/run/approval-store.ts";
import { useApprovalStore, useDocumentStore } from "../../state/editor/editor-context.tsx";
import { useReturnFocus } from "../../ui/overlays/return-focus.ts";
import { CallForm } from "./call-form.tsx";
import { interruptedText } from "./interrupted-text.ts";
import { AnswerForm } from "./answer-form.tsx";

/** A tool call of a run in this browser that waits for its person, or the form that it asks. */
export function ApprovalCard({ request }: { request: PendingApproval }) {
  useReturnFocus();
  const decide = useApprovalStore((state) => state.decide);
  const title = useDocumentStore((state) => state.document.nodes[request.toolNodeId]?.title);
  const { form } = request;
  if (form) {
    return (
      <AnswerForm
        form={form}
        label={`Answer ${request.toolName}`}
        onDecide={(decision) => decide(request.callId, decision)}
      >
        <p>
          <strong className="font-semibold">{request.toolName}</strong>
          {title !== undefined && title !== request.toolName && ` (${title})`} asks you
        </p>
      </AnswerForm>
    );
  }
  return (
    <CallForm
      request={request}
      label={`Approve ${request.toolName}`}
      onDecide={(decision) => decide(request.callId, decision)}
    >
      <p>
        <strong className="font-semibold">{request.toolName}</strong>
        {title !== undefined && title !== request.toolName && ` (${title})`}{" "}
        {request.again === undefined ? "waits for your approval" : interruptedText(request)}
      </p>
    </CallForm>
  );
}
