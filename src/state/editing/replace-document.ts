import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";

/** Makes a document into another one, its id kept; what the other lacks is gone. Edits in place. */
export function replaceDocument(document: WorkflowDocument, next: WorkflowDocument): void {
  const { id } = document;
  const kept = new Set(Object.keys(next));
  for (const key of ["vars", "description", "privacy", "importReport"] as const)
    if (!kept.has(key)) delete document[key];
  Object.assign(document, next, { id });
}
