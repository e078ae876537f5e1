import { canonicalJson } from "../canonical-json.ts";
import { wellFormed } from "../well-formed.ts";
import { readDocument } from "./read-document.ts";
import type { WorkflowDocument } from "./workflow-document.ts";

/**
 * A text that is the same for two documents that come back from storage as the same one, whatever the order of their keys.
 */
export function storedForm(document: WorkflowDocument): string {
  const stored = wellFormed(document);
  const read = readDocument(stored);
  return canonicalJson(read.ok ? read.document : stored);
}
