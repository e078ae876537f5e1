import { newDocument } from "../../../engine/document/new-document.ts";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";

/** An empty canvas. */
export function blank(id: string): WorkflowDocument {
  return newDocument(id, "Untitled workflow");
}
