import { hideToast, showError } from "../feedback/toast-store.ts";
import { sendChanges } from "./unsaved-changes.ts";

/** One stay of a person in a dialog: from when it opens or turns to a subject until it closes or turns to another one. */
export interface DialogVisit {
  subject: unknown;
  /** Of the toast that says a failure, until trying again has worked. */
  toastId: string;
  isOpen: boolean;
  isSaving: boolean;
}

/** How a dialog saves. */
export interface DialogSave<Variables, Result> {
  /** `isOpen` tells, between two steps, whether the person is still there. */
  save: (variables: Variables, isOpen: () => boolean) => Promise<Result>;
  /** What is said or shown of it wherever the person is by then. */
  onSaved?: (result: Result, variables: Variables) => void;
  /** Reads again what may have changed, also after a failure. */
  refresh?: () => unknown;
  /** Whether the dialog shows a failure itself while it is open; a toast says it otherwise. */
  showsError?: boolean;
}

/** What follows, by where the person is once it is saved. */
export interface AfterSave<Result> {
  /** Still there: the dialog closes, or leads on. */
  onDone?: (result: Result) => void;
  /** Closed it, opened it anew or turned to another subject: usually a toast that leads to the result. */
  onLeft?: (result: Result) => void;
}

let dialogs = 0;

/** The stays in one dialog, one after the other. */
export function createDialogVisits() {
  const toastId = `dialog-${(dialogs += 1)}`;
  let current: DialogVisit | null = null;
  return {
    /** Returns what ends the stay. */
    enter(subject?: unknown): () => void {
      const visit = { subject, toastId, isOpen: true, isSaving: false };
      current = visit;
      return () => {
        visit.isOpen = false;
        if (current === visit) current = null;
      };
    },
    /** The stay in which something is saved now; null while something is under way, and once the person has left. */
    beginSave(): DialogVisit | null {
      if (current === null || current.isSaving) return null;
      current.isSaving = true;
      return current;
    },
  };
}

/** Saves what was begun; rejects as `save` does, after the failure was said. */
export async function saveDuring<Variables, Result>(
  visit: DialogVisit,
  variables: Variables,
  { save, onSaved, refresh, showsError = false }: DialogSave<Variables, Result>,
  { onDone, onLeft }: AfterSave<Result>,
): Promise<Result> {
  const answered = sendChanges();
  try {
    const result = await save(variables, () => visit.isOpen);
    hideToast(visit.toastId);
    answered(true);
    onSaved?.(result, variables);
    await refresh?.();
    (visit.isOpen ? onDone : onLeft)?.(result);
    return result;
  } catch (error) {
    answered(false);
    if (!showsError || !visit.isOpen) showError(error, { id: visit.toastId });
    void refresh?.();
    throw error;
  } finally {
    visit.isSaving = false;
  }
}
