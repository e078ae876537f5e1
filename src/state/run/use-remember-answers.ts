import type { ApprovalDecision, ApprovalRequest } from "../../engine/host.ts";
import { type AllowedValue, holdsAllowed } from "../../engine/trust/allowed-values.ts";
import { useServices } from "../../services/services-context.tsx";

/** A call that a person is asked about. */
export type AskedCall = Pick<ApprovalRequest, "input" | "allowable">;

/** Remembers how values were answered that a person may allow for good; what is always approved is suggested in Settings. */
export function useRememberAnswers() {
  const { allowedValues } = useServices();
  return ({ allowable }: AskedCall, decision: ApprovalDecision, without: readonly AllowedValue[] = []): void => {
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
