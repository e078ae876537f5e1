import { useMutation } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import type { ApprovalDecision, ApprovalRequest } from "../../engine/host.ts";
import { taintReason } from "../../engine/trust/taint.ts";
import type { JsonObject } from "../../engine/json.ts";
import { type AllowedValue, holdsAllowed } from "../../engine/trust/allowed-values.ts";
import { ArgumentForm } from "../../forms/argument-form.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { useSettled } from "../../ui/buttons/use-settled.ts";
import { JsonView } from "../../ui/data/json-view/json-view.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { CallPreview } from "./call-preview.tsx";
import { AlwaysChoices } from "./always-choices.tsx";
import { AnswerKey, isAnswerKey } from "./answer-keys.tsx";
import { QuestionCard } from "./question-card.tsx";
import { UnsaidValues } from "./unsaid-values.tsx";
import { useDecideCall } from "./use-decide-call.ts";
import { useArgumentProblems } from "./use-argument-problems.ts";

/** What the model reads of a call that was rejected without a word. */
export const rejectedWithoutReason = "The user rejected this call.";
const declinedWithoutReason = "No reason was given.";

/** What the buttons and the reason say: of a new call, of a step's question, and of what a crash interrupted. */
function wordsFor({ message, again }: Pick<ApprovalRequest, "message" | "again">) {
  const reader = message === undefined ? "The model will read this." : "The workflow will read this.";
  if (again !== undefined) {
    const yes = message === undefined ? "Call again" : "Do it again";
    const no = "Do not repeat";
    return { yes, no, send: no, hint: `What do you know of it? ${reader}`, without: declinedWithoutReason };
  }
  const isCall = message === undefined;
  const no = isCall ? "Reject" : "Decline";
  const send = isCall ? "Reject the call" : no;
  return {
    yes: "Approve",
    no,
    send,
    hint: `Why not? ${reader}`,
    without: isCall ? rejectedWithoutReason : declinedWithoutReason,
  };
}

interface CallFormProps {
  request: Pick<
    ApprovalRequest,
    | "toolName"
    | "input"
    | "parameters"
    | "preview"
    | "previewOf"
    | "untrusted"
    | "unsaid"
    | "remedy"
    | "allowable"
    | "message"
    | "again"
  >;
  /** What screen readers call it. */
  label: string;
  /** Says who waits for what. */
  children: ReactNode;
  busy?: boolean;
  onDecide: (decision: ApprovalDecision) => void;
}

/**
 * One waiting tool call, or step of the flow, which has only a question: what would be done with which arguments, which can be edited
 * unless the question is whether to make the same call again; approve, or reject with a reason. A call that its tool can preview shows what it would do; edited arguments are previewed again before they can be approved,
 * where that is possible.
 */
export function CallForm({ request, label, children, busy: isSent = false, onDecide }: CallFormProps) {
  const { decide, isSaving } = useDecideCall(request, onDecide);
  const busy = isSent || isSaving;
  const [always, setAlways] = useState<ReadonlySet<AllowedValue>>(new Set());
  const [input, setInput] = useState(request.input);
  const [isBroken, setIsBroken] = useState(false);
  const [rejecting, setRejecting] = useState(false);
  const [reason, setReason] = useState("");
  const { parameters } = request;
  const words = wordsFor(request);
  const problems = useArgumentProblems(parameters, input);
  const isWrong = isBroken || Object.keys(problems).length > 0;

  const { unsaid = [] } = request;
  const because = unsaid.length > 0 ? undefined : taintReason(request.untrusted);
  const asked = JSON.stringify(request.input);
  const settled = useSettled(`${label} ${request.message ?? ""} ${asked}`);
  const written = JSON.stringify(input);
  const edited = !isBroken && written !== asked;
  const { previewOf } = request;
  const again = useMutation({
    mutationFn: async (input: JsonObject) => ({ of: JSON.stringify(input), result: await previewOf?.(input) }),
  });
  const editedPreview = again.data?.of === written ? again.data.result : undefined;
  const unseen = edited && previewOf !== undefined && editedPreview === undefined;
  const canApprove = settled && !busy && !unseen && !isWrong && editedPreview?.ok !== false;
  const { allowable } = request;
  const kept = allowable?.values.filter((value) => holdsAllowed(input, value)) ?? [];
  const chosen = kept.filter((value) => always.has(value));
  const approve = () => decide({ approved: true, input }, chosen);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!isAnswerKey(event) || busy) return;
    if (event.key === "a" && canApprove) approve();
    else if (event.key === "r") setRejecting(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <QuestionCard label={label} asks={children} tabIndex={0} onKeyDown={onKeyDown} className="group/call">
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
        {request.message === undefined && request.again !== undefined ? (
          <JsonView value={request.input} label="Arguments" />
        ) : request.message === undefined ? (
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
      {unsaid.length > 0 && <UnsaidValues values={unsaid} untrusted={request.untrusted} />}
      {request.remedy !== undefined && <p className="basis-full text-xs text-muted">{request.remedy}</p>}
      {allowable && kept.length > 0 && !isBroken && (
        <AlwaysChoices
          allowable={{ ...allowable, values: kept }}
          chosen={new Set(chosen)}
          disabled={busy}
          onChange={setAlways}
        />
      )}
      {/* After the arguments, which may be long; on a phone a thumb needs room. */}
      <div className="flex basis-full justify-end gap-2 max-sm:*:h-11 max-sm:*:flex-1">
        <Button size="sm" icon="x" disabled={busy} aria-expanded={rejecting} onClick={() => setRejecting(!rejecting)}>
          {words.no}
          <AnswerKey keys="r" />
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
            disabled={!settled || isWrong || editedPreview?.ok === false}
            onClick={approve}
          >
            {edited ? `${words.yes} as edited` : words.yes}
            <AnswerKey keys="a" />
          </Button>
        )}
      </div>
      {rejecting && (
        <form
          className="flex basis-full flex-wrap items-center gap-2 max-sm:*:h-11"
          onSubmit={(event) => {
            event.preventDefault();
            decide({ approved: false, reason: reason.trim() || words.without });
          }}
        >
          <Input
            size="sm"
            autoFocus
            aria-label="Reason"
            placeholder={words.hint}
            className="min-w-40 flex-1"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <Button size="sm" variant="danger" type="submit" busy={busy}>
            {words.send}
          </Button>
        </form>
      )}
    </QuestionCard>
  );
}
