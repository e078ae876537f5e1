import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect } from "react";
import type { OpenQuestion } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { showError, showToast } from "../../ui/feedback/toast-store.ts";
import { AskedLine } from "./asked-line.tsx";
import { CallSet, type DecidedCall } from "./call-set.tsx";
import { returnFocus } from "../../ui/overlays/return-focus.ts";
import { InboxCard } from "./inbox-card.tsx";

interface InboxSetProps {
  questions: readonly OpenQuestion[];
  list: RefObject<HTMLElement | null>;
  /** These are looked at one by one from now on. */
  onApart: (callIds: readonly string[]) => void;
}

/** Rejections come before approvals. */
function rank({ decision }: DecidedCall): number {
  return decision.approved ? 1 : 0;
}

/** Calls of one run and one tool, as one question; a single one as a card of its own. */
export function InboxSet({ questions, list, onApart }: InboxSetProps) {
  useEffect(() => () => returnFocus(list.current), [list]);
  const { inbox } = useServices();
  const queries = useQueryClient();
  const decide = useMutation({
    mutationFn: async (decided: readonly DecidedCall[]) => {
      let counted = 0;
      // What was struck out first: where the connection fails in between, it is not offered for approval again.
      for (const { id, decision } of decided.toSorted((one, other) => rank(one) - rank(other))) {
        const question = questions.find(({ callId }) => callId === id);
        if (question && (await inbox.decide(question, decision)) === "decided") counted += 1;
      }
      return counted;
    },
    onSuccess: (counted, decided) => {
      if (counted === decided.length) showToast(`${counted} calls answered`, {}, "success");
      else {
        const hint = "The others had been answered elsewhere or had expired, or their run had ended.";
        showToast(`${counted} of ${decided.length} answers were accepted`, { hint }, "warning");
      }
    },
    onError: (error) => showError(error),
    // Also after a failure: some may have been answered.
    onSettled: async () => {
      void queries.invalidateQueries({ queryKey: ["runs"] });
      await queries.invalidateQueries({ queryKey: ["inbox"] });
    },
  });
  const [first] = questions;
  if (first === undefined) return null;
  const ids = questions.map(({ callId }) => callId);
  if (questions.length === 1) {
    return (
      // What is typed stays when another call joins.
      <div onInput={() => onApart(ids)}>
        <InboxCard question={first} list={list} />
      </div>
    );
  }
  const { toolName } = first.question;
  return (
    <CallSet
      calls={questions.map(({ callId, question }) => ({ id: callId, request: question }))}
      label={`Approve ${questions.length} calls of ${toolName} of ${first.workflowName}`}
      busy={decide.isPending}
      onDecide={(decided) => decide.mutate(decided)}
      onSplit={() => onApart(ids)}
    >
      <h2 dir="auto" className="text-left font-semibold">
        {first.workflowName}
      </h2>
      <p>
        wants to make {questions.length} calls of <strong className="font-semibold">{toolName}</strong>
      </p>
      <AskedLine question={first} />
    </CallSet>
  );
}
