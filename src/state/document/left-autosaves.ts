import type { Autosave } from "./autosave.ts";

/** What saves a workflow whose editor was left with unsaved work. */
const left = new Map<string, Autosave>();

/** Saves the rest of a workflow whose editor is left, also if that takes several attempts. */
export function saveAfterLeaving(workflowId: string, autosave: Autosave): void {
  left.set(workflowId, autosave);
  void autosave.flush();
}

/** Resolves once this tab writes nothing of the workflow: what is read then has all that could be saved. */
export async function saveBeforeReading(workflowId: string): Promise<void> {
  await left.get(workflowId)?.flush();
}

/** Leaves the workflow to an editor that was opened anew. What could not be saved is in the draft. */
export function endSaving(workflowId: string): void {
  left.get(workflowId)?.end();
  left.delete(workflowId);
}
