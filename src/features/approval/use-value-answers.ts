import { useMutation } from "@tanstack/react-query";
import type { ApprovalDecision, ApprovalRequest } from "../../engine/host.ts";
import { type AllowedValue, holdsAllowed } from "../../engine/trust/allowed-values.ts";
import { useServices } from "../../services/services-context.tsx";
import { showError } from "../../ui/feedback/toast-store.ts";

type Asked = Pick<ApprovalRequest, "input" | "allowable">;

/** Remembers how values were answered that a person may allow for good; what is always approved is suggested in Settings. */
export function useRememberAnswers() {
  const { allowedValues } = useServices();
  return ({ allowable }: Asked, decision: ApprovalDecision, without: readonly AllowedValue[] = []): void => {
    if (!allowable) return;
    const isKept = (value: AllowedValue) => decision.approved && holdsAllowed(decision.input, value);
    const counted = allowable.values.filter((value) => !without.includes(value));
    const answers = [
      ["approved", counted.filter(isKept)],
      ["changed", counted.filter((value) => !isKept(value))],
    ] as const;
    for (const [answer, values] of answers) {
      // Only a suggestion hangs on it: a lost answer is no reason to disturb the person.
      if (values.length > 0) allowedValues.answer(allowable.workflowId, values, answer).catch(() => undefined);
    }
  };
}

/** Decides a call, and before that allows for good what the person chose; where that cannot be saved, nothing is decided. */
export function useDecideCall(asked: Asked, onDecide: (decision: ApprovalDecision) => void) {
  const { allowedValues } = useServices();
  const remember = useRememberAnswers();
  const save = useMutation({
    mutationFn: (chosen: readonly AllowedValue[]) =>
      chosen.length === 0
        ? Promise.resolve()
        : allowedValues.answer(asked.allowable?.workflowId ?? "", chosen, "allowed"),
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
