import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { ApprovalDecision, ApprovalRequest } from "../../engine/host.ts";
import { taintReason } from "../../engine/trust/taint.ts";
import type { JsonObject } from "../../engine/json.ts";
import { ArgumentForm } from "../../forms/argument-form.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { CallPreview } from "./call-preview.tsx";
import { useArgumentProblems } from "./use-argument-problems.ts";

const rejectedWithoutReason = "The user rejected this call.";
const declinedWithoutReason = "No reason was given.";

interface CallFormProps {
  request: Pick<
    ApprovalRequest,
    "toolName" | "input" | "parameters" | "preview" | "previewOf" | "untrusted" | "message"
  >;
  /** What screen readers call it. */
  label: string;
  /** Says who waits for what. */
  children: ReactNode;
  busy?: boolean;
  onDecide: (decision: ApprovalDecision) => void;
}

/**
 * One waiting tool call, or step of the flow, which has only a question: what would be done with which arguments, which can be edited; approve, or reject with a reason. A
 * call that its tool can preview shows what it would do; edited arguments are previewed again before they can be approved,
 * where that is possible.
 */
export function CallForm({ request, label, children, busy = false, onDecide }: CallFormProps) {
  const [input, setInput] = useState(request.input);
  const [isBroken, setIsBroken] = useState(false);
  const [rejecting, setRejecting] = useState(false);
  const [reason, setReason] = useState("");
  const { parameters } = request;
  const problems = useArgumentProblems(parameters, input);
  const isWrong = isBroken || Object.keys(problems).length > 0;

  const because = taintReason(request.untrusted);
  const asked = JSON.stringify(request.input);
  const written = JSON.stringify(input);
  const edited = !isBroken && written !== asked;
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
      className="flex flex-wrap items-center gap-2 rounded-lg border border-warning bg-warning-soft p-2 pl-3"
    >
      <span className="self-start pt-0.5 text-warning">
        <Icon name="hand" />
      </span>
      <div className="min-w-40 flex-1 wrap-anywhere">{children}</div>
      {because !== undefined && <p className="basis-full text-sm break-words text-muted">{because}</p>}
      {request.preview !== undefined && (
        <div className="min-w-0 basis-full">
          <CallPreview result={edited && previewOf ? editedPreview : { ok: true, output: request.preview }} />
        </div>
      )}
      {request.preview !== undefined && edited && previewOf === undefined && (
        <p role="status" className="basis-full text-sm text-warning">
          The preview shows the call as it was asked. It will be made with your arguments, without another preview.
        </p>
      )}
      <div className="flex min-w-0 basis-full flex-col gap-2">
        {request.message === undefined ? (
          <ArgumentForm
            schema={parameters}
            input={input}
            problems={problems}
            onChange={setInput}
            onBroken={setIsBroken}
          />
        ) : (
          <p dir="auto" className="max-h-80 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
            {request.message}
          </p>
        )}
      </div>
      {/* After the arguments, which may be long; on a phone a thumb needs room. */}
      <div className="flex basis-full justify-end gap-2 max-sm:*:h-11 max-sm:*:flex-1">
        <Button size="sm" icon="x" disabled={busy} aria-expanded={rejecting} onClick={() => setRejecting(!rejecting)}>
          {request.message === undefined ? "Reject" : "Decline"}
        </Button>
        {unseen ? (
          <Button
            size="sm"
            variant="primary"
            icon="eye"
            busy={again.isPending}
            disabled={isWrong}
            onClick={() => again.mutate(input)}
          >
            Preview the edit
          </Button>
        ) : (
          <Button
            size="sm"
            variant="primary"
            icon="check"
            busy={busy}
            disabled={isWrong || editedPreview?.ok === false}
            onClick={() => onDecide({ approved: true, input })}
          >
            {edited ? "Approve as edited" : "Approve"}
          </Button>
        )}
      </div>
      {rejecting && (
        <form
          className="flex basis-full flex-wrap items-center gap-2 max-sm:*:h-11"
          onSubmit={(event) => {
            event.preventDefault();
            onDecide({
              approved: false,
              reason: reason.trim() || (request.message === undefined ? rejectedWithoutReason : declinedWithoutReason),
            });
          }}
        >
          <Input
            size="sm"
            autoFocus
            aria-label="Reason"
            placeholder={`Why not? ${request.message === undefined ? "The model will read this." : "The workflow will read this."}`}
            className="min-w-40 flex-1"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <Button size="sm" variant="danger" type="submit" busy={busy}>
            {request.message === undefined ? "Reject the call" : "Decline"}
          </Button>
        </form>
      )}
    </div>
  );
}
