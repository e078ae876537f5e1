import { type KeyboardEvent, type ReactNode, useState } from "react";
import { briefJson } from "../../engine/brief-json.ts";
import { canonicalJson } from "../../engine/canonical-json.ts";
import type { ApprovalDecision, ApprovalRequest } from "../../engine/host.ts";
import type { AllowedValue } from "../../engine/trust/allowed-values.ts";
import { taintReason } from "../../engine/trust/taint.ts";
import { useRememberAnswers } from "../../state/run/use-remember-answers.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { useSettled } from "../../ui/buttons/use-settled.ts";
import { JsonView } from "../../ui/data/json-view/json-view.tsx";
import { allowableOfSet } from "./allowable-of-set.ts";
import { AlwaysChoices } from "./always-choices.tsx";
import { AnswerKey, isAnswerKey } from "./answer-keys.tsx";
import { rejectedWithoutReason } from "./call-form.tsx";
import { QuestionCard } from "./question-card.tsx";
import { UnsaidValues } from "./unsaid-values.tsx";
import { useAllowFirst } from "./use-allow-first.ts";

/** One of the calls of a set. `id` tells it from the others. */
export interface CallOfSet {
  id: string;
  request: Pick<ApprovalRequest, "toolName" | "input" | "untrusted" | "unsaid" | "remedy" | "allowable">;
}

/** What was said of one of them. */
export interface DecidedCall {
  id: string;
  decision: ApprovalDecision;
}

const struckOut = "The user left this call out of those that were approved.";

interface CallSetProps {
  calls: readonly CallOfSet[];
  /** What screen readers call it. */
  label: string;
  /** Says who waits for what. */
  children: ReactNode;
  busy?: boolean;
  onDecide: (decided: readonly DecidedCall[]) => void;
  /** Shows each call as a question of its own, where its arguments can be edited. */
  onSplit: () => void;
}

/** Several waiting calls of one tool as one question: each can be struck out, and one answer goes to all. */
export function CallSet({ calls, label, children, busy: isSent = false, onDecide, onSplit }: CallSetProps) {
  const [struck, setStruck] = useState<ReadonlySet<string>>(new Set());
  const kept = calls.filter(({ id }) => !struck.has(id));
  const settled = useSettled(`${label} ${calls.map(({ id }) => id).join(" ")}`);
  const unsaid = calls.some(({ request }) => request.unsaid !== undefined);
  const because = unsaid ? undefined : taintReason(calls.flatMap(({ request }) => request.untrusted ?? []).slice(0, 5));
  const remedy = calls.find(({ request }) => request.remedy !== undefined)?.request.remedy;
  const remember = useRememberAnswers();
  const { allowFirst, isSaving } = useAllowFirst();
  const [always, setAlways] = useState<ReadonlySet<AllowedValue>>(new Set());
  const busy = isSent || isSaving;
  const allowable = allowableOfSet(calls, ({ id }) => !struck.has(id));
  const chosen = allowable?.values.filter((value) => always.has(value)) ?? [];
  const canApprove = settled && !busy && kept.length > 0;
  function decideAll(approves: boolean) {
    if (!approves) return decideEach(false);
    allowFirst({ workflowId: allowable?.workflowId ?? "", chosen }, () => decideEach(true));
  }
  function decideEach(approves: boolean) {
    const decided = calls.map(({ id, request }): DecidedCall & Pick<CallOfSet, "request"> => ({
      id,
      request,
      decision:
        approves && !struck.has(id)
          ? { approved: true, input: request.input }
          : { approved: false, reason: approves ? struckOut : rejectedWithoutReason },
    }));
    const isChosen = new Set(approves ? chosen.map(canonicalJson) : []);
    for (const { request, decision } of decided)
      remember(
        request,
        decision,
        request.allowable?.values.filter((value) => isChosen.has(canonicalJson(value))),
      );
    onDecide(decided.map(({ id, decision }) => ({ id, decision })));
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!isAnswerKey(event) || busy) return;
    if (event.key === "a" && canApprove) decideAll(true);
    else if (event.key === "r" && settled) decideAll(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const toggle = (id: string) =>
    setStruck((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <QuestionCard label={label} asks={children} tabIndex={0} onKeyDown={onKeyDown} className="group/call">
      {because !== undefined && <p className="basis-full text-sm break-words text-muted">{because}</p>}
      <ul className="flex min-w-0 basis-full flex-col gap-2">
        {calls.map(({ id, request }, index) => (
          <li key={id} className="flex min-w-0 flex-col gap-1.5 rounded-md border border-line bg-surface p-2">
            <label className="flex min-w-0 items-start gap-2 max-sm:min-h-8">
              <input
                type="checkbox"
                className="mt-1"
                aria-label={`Call ${index + 1}`}
                checked={!struck.has(id)}
                disabled={busy}
                onChange={() => toggle(id)}
              />
              <span dir="auto" className={`min-w-0 wrap-anywhere ${struck.has(id) ? "text-muted line-through" : ""}`}>
                {briefArguments(request.input)}
              </span>
            </label>
            {request.unsaid !== undefined && <UnsaidValues values={request.unsaid} untrusted={request.untrusted} />}
            {briefArguments(request.input).includes("…") && (
              <details className="text-sm">
                <summary className="cursor-pointer text-muted">All arguments</summary>
                <JsonView value={request.input} label={`Arguments of call ${index + 1}`} />
              </details>
            )}
          </li>
        ))}
      </ul>
      {remedy !== undefined && <p className="basis-full text-xs text-muted">{remedy}</p>}
      {allowable && (
        <AlwaysChoices allowable={allowable} chosen={new Set(chosen)} disabled={busy} onChange={setAlways} />
      )}
      <div className="flex basis-full flex-wrap justify-end gap-2 max-sm:*:h-11 max-sm:*:flex-1">
        <Button size="sm" variant="ghost" disabled={busy} onClick={onSplit}>
          One by one
        </Button>
        <Button size="sm" icon="x" disabled={busy} onClick={() => decideAll(false)}>
          Reject all
          <AnswerKey keys="r" />
        </Button>
        <Button
          size="sm"
          variant="primary"
          icon="check"
          busy={busy}
          disabled={!settled || kept.length === 0}
          onClick={() => decideAll(true)}
        >
          {kept.length === calls.length ? `Approve all ${calls.length}` : `Approve ${kept.length} of ${calls.length}`}
          <AnswerKey keys="a" />
        </Button>
      </div>
    </QuestionCard>
  );
}

/** `to: ada@example.com · subject: Hello`, cut. */
function briefArguments(input: ApprovalRequest["input"]): string {
  const parts = Object.entries(input).map(([name, value]) => `${name}: ${briefJson(value, 80)}`);
  return parts.length === 0 ? "No arguments" : briefJson(parts.join(" · "), 240);
}
