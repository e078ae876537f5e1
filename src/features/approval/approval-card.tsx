import { useState } from "react";
import type { ApprovalDecision } from "../../engine/host.ts";
import type { PendingApproval } from "../../stores/approval-store.ts";
import { useApprovalStore, useDocumentStore } from "../../stores/editor-context.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Input } from "../../ui/input.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import { readArguments } from "./read-arguments.ts";

const rejectedWithoutReason = "The user rejected this call.";

/** One waiting tool call: what would be done with which arguments, which can be edited; approve, or reject with a reason. */
export function ApprovalCard({ request }: { request: PendingApproval }) {
  const decide = useApprovalStore((state) => state.decide);
  const title = useDocumentStore((state) => state.document.nodes[request.nodeId]?.title);
  const [text, setText] = useState(() => JSON.stringify(request.input, null, 2));
  const [rejecting, setRejecting] = useState(false);
  const [reason, setReason] = useState("");
  const read = readArguments(text);

  const answer = (decision: ApprovalDecision) => decide(request.callId, decision);
  const reject = () => answer({ approved: false, reason: reason.trim() || rejectedWithoutReason });

  return (
    <div
      role="group"
      aria-label={`Approve ${request.toolName}`}
      className="flex flex-col gap-2 rounded-lg border border-warning bg-warning-soft p-3"
    >
      <p className="flex items-center gap-2">
        <span className="text-warning">
          <Icon name="hand" />
        </span>
        <span>
          <strong className="font-semibold">{request.toolName}</strong>
          {title !== undefined && title !== request.toolName && ` (${title})`} waits for your approval
        </span>
      </p>
      <Field label="Arguments" error={read.ok ? undefined : read.problem}>
        {(control) => (
          <Textarea
            mono
            rows={2}
            maxRows={10}
            value={text}
            onChange={(event) => setText(event.target.value)}
            {...control}
          />
        )}
      </Field>
      {rejecting && (
        <Field label="Reason" help="The model reads it and goes on from there.">
          {(control) => (
            <Input
              autoFocus
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              onKeyDown={(event) => event.key === "Enter" && reject()}
              {...control}
            />
          )}
        </Field>
      )}
      <div className="flex flex-wrap gap-2">
        {rejecting ? (
          <>
            <Button size="sm" variant="danger" onClick={reject}>
              Reject
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setRejecting(false)}>
              Back
            </Button>
          </>
        ) : (
          <>
            <Button
              size="sm"
              variant="primary"
              icon="check"
              disabled={!read.ok}
              onClick={() => read.ok && answer({ approved: true, input: read.input })}
            >
              {read.ok && JSON.stringify(read.input) !== JSON.stringify(request.input)
                ? "Approve the edited call"
                : "Approve"}
            </Button>
            <Button size="sm" icon="x" onClick={() => setRejecting(true)}>
              Reject
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
