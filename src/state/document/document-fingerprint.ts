import { storedForm } from "../../engine/document/stored-form.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";

const known = new WeakMap<WorkflowDocument, string>();

/**
 * A short name of what is stored of a document: equal for documents that come back from storage as the same one. Documents
 * are never changed in place.
 */
export function fingerprintOf(document: WorkflowDocument): string {
  const before = known.get(document);
  if (before !== undefined) return before;
  const fingerprint = checksum(storedForm(document));
  known.set(document, fingerprint);
  return fingerprint;
}

/**
 * 64 bits of a text, in hex. It tells apart states of one person's workflow and guards nothing, so it need not withstand
 * someone who looks for two texts with the same one.
 */
function checksum(text: string): string {
  let first = 0x811c9dc5;
  let second = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x01000193);
    first ^= first >>> 15;
    second = Math.imul(second + unit, 0x9e3779b1);
    second ^= second >>> 13;
  }
  return hex(first) + hex(second);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
