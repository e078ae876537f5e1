import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ApprovalDecision } from "../../engine/host.ts";
import { taintReason } from "../../engine/trust/taint.ts";
import type { JsonObject } from "../../engine/json.ts";
import type { PendingApproval } from "../../stores/approval-store.ts";
import { useApprovalStore, useDocumentStore } from "../../stores/editor-context.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Input } from "../../ui/input.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import { CallPreview } from "./call-preview.tsx";
import { readArguments } from "./read-arguments.ts";

const rejectedWithoutReason = "The user rejected this call.";

/**
 * One waiting tool call: what would be done with which arguments, which can be edited; approve, or reject with a reason. A
 * call that its tool can preview shows what it would do; edited arguments are previewed again before they can be approved.
 */
export function ApprovalCard({ request }: { request: PendingApproval }) {
  const decide = useApprovalStore((state) => state.decide);
  const title = useDocumentStore((state) => state.document.nodes[request.toolNodeId]?.title);
  const [text, setText] = useState(() => JSON.stringify(request.input, null, 2));
  const [rejecting, setRejecting] = useState(false);
  const [reason, setReason] = useState("");
  const read = readArguments(text);

  const answer = (decision: ApprovalDecision) => decide(request.callId, decision);

  const because = taintReason(request.untrusted);
  const asked = JSON.stringify(request.input);
  const written = read.ok ? JSON.stringify(read.input) : "";
  const edited = read.ok && written !== asked;
  const { previewOf } = request;
  const again = useMutation({
    mutationFn: async (input: JsonObject) => ({ of: JSON.stringify(input), result: await previewOf?.(input) }),
  });
  const editedPreview = again.data?.of === written ? again.data.result : undefined;
  const unseen = edited && previewOf !== undefined && editedPreview === undefined;
  return (
    <div
      role="group"
      aria-label={`Approve ${request.toolName}`}
      className="flex flex-col gap-2 rounded-lg border border-warning bg-warning-soft p-2 pl-3"
    >
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-warning">
          <Icon name="hand" />
        </span>
        <p className="min-w-40 flex-1">
          <strong className="font-semibold">{request.toolName}</strong>
          {title !== undefined && title !== request.toolName && ` (${title})`} waits for your approval
        </p>
        <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
          <Button size="sm" icon="x" aria-expanded={rejecting} onClick={() => setRejecting(!rejecting)}>
            Reject
          </Button>
          {unseen ? (
            <Button
              size="sm"
              variant="primary"
              icon="eye"
              busy={again.isPending}
              onClick={() => read.ok && again.mutate(read.input)}
            >
              Preview the edit
            </Button>
          ) : (
            <Button
              size="sm"
              variant="primary"
              icon="check"
              disabled={!read.ok || editedPreview?.ok === false}
              onClick={() => read.ok && answer({ approved: true, input: read.input })}
            >
              {edited ? "Approve as edited" : "Approve"}
            </Button>
          )}
        </div>
      </div>
      {because !== undefined && <p className="text-sm break-words text-muted">{because}</p>}
      {rejecting && (
        <form
          className="flex flex-wrap items-center gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            answer({ approved: false, reason: reason.trim() || rejectedWithoutReason });
          }}
        >
          <Input
            size="sm"
            autoFocus
            aria-label="Reason"
            placeholder="Why not? The model reads it."
            className="min-w-40 flex-1"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <Button size="sm" variant="danger" type="submit">
            Reject the call
          </Button>
        </form>
      )}
      {request.preview !== undefined && (
        <CallPreview result={edited ? editedPreview : { ok: true, output: request.preview }} />
      )}
      <Field label="Arguments" error={read.ok ? undefined : read.problem}>
        {(control) => (
          <Textarea
            mono
            rows={1}
            maxRows={10}
            value={text}
            onChange={(event) => setText(event.target.value)}
            {...control}
          />
        )}
      </Field>
    </div>
  );
}
