import { useMutation } from "@tanstack/react-query";
import type { AllowedValue } from "../../engine/trust/allowed-values.ts";
import { useServices } from "../../services/services-context.tsx";
import { showError } from "../../ui/feedback/toast-store.ts";

interface Chosen {
  workflowId: string;
  chosen: readonly AllowedValue[];
}

/** Allows for good what a person chose, and only then goes on; where that cannot be saved, it is said and nothing follows. */
export function useAllowFirst() {
  const { allowedValues } = useServices();
  const save = useMutation({
    mutationFn: ({ workflowId, chosen }: Chosen) => allowedValues.answer(workflowId, chosen, "allowed"),
    onError: (error) => showError(error),
  });
  function allowFirst(allowed: Chosen, then: () => void): void {
    if (allowed.chosen.length === 0) then();
    else save.mutate(allowed, { onSuccess: then });
  }
  return { allowFirst, isSaving: save.isPending };
}
