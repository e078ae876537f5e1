import { useMutation } from "@tanstack/react-query";
import type { ApprovalDecision } from "../../engine/host.ts";
import type { AllowedValue } from "../../engine/trust/allowed-values.ts";
import { useServices } from "../../services/services-context.tsx";
import { type AskedCall, useRememberAnswers } from "../../state/run/use-remember-answers.ts";
import { showError } from "../../ui/feedback/toast-store.ts";

/** Decides a call, and before that allows for good what the person chose; where that cannot be saved, nothing is decided. */
export function useDecideCall(asked: AskedCall, onDecide: (decision: ApprovalDecision) => void) {
  const { allowedValues } = useServices();
  const remember = useRememberAnswers();
  const save = useMutation({
    mutationFn: (chosen: readonly AllowedValue[]) =>
      allowedValues.answer(asked.allowable?.workflowId ?? "", chosen, "allowed"),
    onError: (error) => showError(error),
  });
  function decide(decision: ApprovalDecision, chosen: readonly AllowedValue[] = []): void {
    const finish = () => {
      remember(asked, decision, chosen);
      onDecide(decision);
    };
    if (chosen.length === 0) finish();
    else save.mutate(chosen, { onSuccess: finish });
  }
  return { decide, isSaving: save.isPending };
}
