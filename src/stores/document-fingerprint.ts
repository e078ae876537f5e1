import { sha256 as sha256Of } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { storedForm } from "../engine/document/stored-form.ts";
import type { WorkflowDocument } from "../engine/document/workflow-document.ts";

/** The SHA-256 of a text, in hex; the browser's own is missing where the page came over plain HTTP. */
export function sha256(text: string): string {
  return bytesToHex(sha256Of(utf8ToBytes(text)));
}

const known = new WeakMap<WorkflowDocument, string>();

/**
 * A short name of what is stored of a document: equal for documents that come back from storage as the same one. Documents
 * are never changed in place.
 */
export function fingerprintOf(document: WorkflowDocument): string {
  const before = known.get(document);
  if (before !== undefined) return before;
  const fingerprint = sha256(storedForm(document));
  known.set(document, fingerprint);
  return fingerprint;
}
