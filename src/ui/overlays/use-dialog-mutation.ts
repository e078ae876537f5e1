import { type MutationKey, useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type AfterSave, createDialogVisits, type DialogSave, type DialogVisit, saveDuring } from "./dialog-visits.ts";

interface DialogMutation<Variables, Result> extends DialogSave<Variables, Result> {
  /** What the dialog is about, where it can turn to something else while it stands. */
  subject?: unknown;
  mutationKey?: MutationKey;
}

interface Call<Variables, Result> {
  visit: DialogVisit;
  variables: Variables;
  after: AfterSave<Result>;
}

/**
 * What a dialog or a form saves, which may take longer than a person stays in it: nobody is called back to what they have
 * left, nothing is sent twice, and a failure is said to whoever has left as well.
 */
export function useDialogMutation<Result, Variables = void>(options: DialogMutation<Variables, Result>) {
  const { subject, mutationKey } = options;
  const [visits] = useState(createDialogVisits);
  useEffect(() => visits.enter(subject), [visits, subject]);
  const mutation = useMutation({
    mutationKey,
    mutationFn: ({ visit, variables, after }: Call<Variables, Result>) => saveDuring(visit, variables, options, after),
  });
  const isSame = mutation.variables?.visit.subject === subject;

  return {
    /** Does nothing while it is being saved, or once the person has left. */
    submit(variables: Variables, after: AfterSave<Result> = {}): void {
      const visit = visits.beginSave();
      if (visit !== null) mutation.mutate({ visit, variables, after });
    },
    isPending: isSame && mutation.isPending,
    error: isSame ? mutation.error : null,
    /** What was sent last. */
    variables: isSame ? mutation.variables?.variables : undefined,
    reset: mutation.reset,
  };
}
