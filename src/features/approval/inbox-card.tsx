import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect } from "react";
import type { DecisionOutcome, InboxDecision, OpenQuestion } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { returnFocus } from "../../ui/overlays/return-focus.ts";
import { showError, showToast } from "../../ui/feedback/toast-store.ts";
import { AskedLine } from "./asked-line.tsx";
import { CallForm } from "./call-form.tsx";
import { interruptedText } from "./interrupted-text.ts";
import { AnswerForm } from "./answer-form.tsx";

const refusals: Record<Exclude<DecisionOutcome, "decided">, { message: string; hint: string }> = {
  "decided-elsewhere": {
    message: "Decided elsewhere",
    hint: "This call had already been answered, so your answer was not used.",
  },
  expired: { message: "Expired", hint: "The time to answer had run out, so the call was rejected." },
  over: { message: "The run is over", hint: "It ended before you answered, so the call was not made." },
};

interface InboxCardProps {
  question: OpenQuestion;
  /** Has the keyboard once the card that had it goes; whoever is at another card by then stays there. */
  list: RefObject<HTMLElement | null>;
}

/** A tool call of a run on a worker, or the form that it asks. The card goes once it is decided; a decision that could not be sent leaves it. */
export function InboxCard({ question, list }: InboxCardProps) {
  useEffect(() => () => returnFocus(list.current), [list]);
  const { inbox } = useServices();
  const queries = useQueryClient();
  const { toolName, form, message, again } = question.question;
  const decide = useMutation({
    mutationFn: (decision: InboxDecision) => inbox.decide(question, decision),
    onSuccess: async (outcome, { approved }) => {
      if (outcome === "decided") showToast(`${toolName}: ${decisionText(approved, question.question)}`, {}, "success");
      else showToast(refusals[outcome].message, { hint: refusals[outcome].hint }, "warning");
      void queries.invalidateQueries({ queryKey: ["runs"] });
      // Until the card goes it cannot be answered again.
      await queries.invalidateQueries({ queryKey: ["inbox"] });
    },
    onError: (error) => showError(error),
  });
  const common = { busy: decide.isPending, onDecide: (decision: InboxDecision) => decide.mutate(decision) };
  const who = (
    <>
      <h2 dir="auto" className="text-left font-semibold">
        {question.workflowName}
      </h2>
      <p>
        {message === undefined && again === undefined && (form ? "calls " : "wants to call ")}
        <strong className="font-semibold">{toolName}</strong>
        {again !== undefined && ` ${interruptedText(question.question)}`}
        {message !== undefined && again === undefined && " asks you"}
        {form && ", which asks you"}
      </p>
      <AskedLine question={question} />
    </>
  );
  if (form) {
    return (
      <AnswerForm form={form} label={`Answer ${toolName} of ${question.workflowName}`} {...common}>
        {who}
      </AnswerForm>
    );
  }
  return (
    <CallForm request={question.question} label={`Approve ${toolName} of ${question.workflowName}`} {...common}>
      {who}
    </CallForm>
  );
}

function decisionText(approved: boolean, { form, again }: OpenQuestion["question"]): string {
  if (form) return approved ? "answered" : "declined";
  if (again !== undefined) return approved ? "repeated" : "not repeated";
  return approved ? "approved" : "rejected";
}
