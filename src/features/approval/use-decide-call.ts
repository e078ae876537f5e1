import type { ApprovalDecision } from "../../engine/host.ts";
import type { AllowedValue } from "../../engine/trust/allowed-values.ts";
import { type AskedCall, useRememberAnswers } from "../../state/run/use-remember-answers.ts";
import { useAllowFirst } from "./use-allow-first.ts";

/** Decides a call, and before that allows for good what the person chose; where that cannot be saved, nothing is decided. */
export function useDecideCall(asked: AskedCall, onDecide: (decision: ApprovalDecision) => void) {
  const remember = useRememberAnswers();
  const { allowFirst, isSaving } = useAllowFirst();
  function decide(decision: ApprovalDecision, chosen: readonly AllowedValue[] = []): void {
    allowFirst({ workflowId: asked.allowable?.workflowId ?? "", chosen }, () => {
      remember(asked, decision, chosen);
      onDecide(decision);
    });
  }
  return { decide, isSaving };
}
