import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { ApprovalDecision, ApprovalRequest } from "../../engine/host.ts";
import { taintReason } from "../../engine/trust/taint.ts";
import type { JsonObject } from "../../engine/json.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Input } from "../../ui/input.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import { CallPreview } from "./call-preview.tsx";
import { readArguments } from "./read-arguments.ts";

const rejectedWithoutReason = "The user rejected this call.";

interface CallFormProps {
  request: Pick<ApprovalRequest, "toolName" | "input" | "preview" | "previewOf" | "untrusted">;
  /** What screen readers call it. */
  label: string;
  /** Says who waits for what. */
  children: ReactNode;
  busy?: boolean;
  onDecide: (decision: ApprovalDecision) => void;
}

/**
 * One waiting tool call: what would be done with which arguments, which can be edited; approve, or reject with a reason. A
 * call that its tool can preview shows what it would do; edited arguments are previewed again before they can be approved,
 * where that is possible.
 */
export function CallForm({ request, label, children, busy = false, onDecide }: CallFormProps) {
  const [text, setText] = useState(() => JSON.stringify(request.input, null, 2));
  const [rejecting, setRejecting] = useState(false);
  const [reason, setReason] = useState("");
  const read = readArguments(text);

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
      aria-label={label}
      className="flex flex-col gap-2 rounded-lg border border-warning bg-warning-soft p-2 pl-3"
    >
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-warning">
          <Icon name="hand" />
        </span>
        <div className="min-w-40 flex-1 wrap-anywhere">{children}</div>
        <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
          <Button size="sm" icon="x" disabled={busy} aria-expanded={rejecting} onClick={() => setRejecting(!rejecting)}>
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
              busy={busy}
              disabled={!read.ok || editedPreview?.ok === false}
              onClick={() => read.ok && onDecide({ approved: true, input: read.input })}
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
            onDecide({ approved: false, reason: reason.trim() || rejectedWithoutReason });
          }}
        >
          <Input
            size="sm"
            autoFocus
            aria-label="Reason"
            placeholder="Why not? The model will read this."
            className="min-w-40 flex-1"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <Button size="sm" variant="danger" type="submit" busy={busy}>
            Reject the call
          </Button>
        </form>
      )}
      {request.preview !== undefined && (
        <CallPreview result={edited && previewOf ? editedPreview : { ok: true, output: request.preview }} />
      )}
      {request.preview !== undefined && edited && previewOf === undefined && (
        <p role="status" className="text-sm text-warning">
          The preview shows the call as it was asked. It will be made with your arguments, without another preview.
        </p>
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
