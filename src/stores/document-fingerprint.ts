import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson } from "../engine/canonical-json.ts";
import { readDocument } from "../engine/document/read-document.ts";
import type { WorkflowDocument } from "../engine/document/workflow-document.ts";
import { wellFormed } from "../engine/well-formed.ts";

const known = new WeakMap<WorkflowDocument, string>();

/**
 * The same for two documents that come back from storage as the same one, whatever the order of their keys. Documents are
 * never changed in place.
 */
export function fingerprintOf(document: WorkflowDocument): string {
  const before = known.get(document);
  if (before !== undefined) return before;
  const stored = wellFormed(document);
  const read = readDocument(stored);
  const fingerprint = bytesToHex(sha256(utf8ToBytes(canonicalJson(read.ok ? read.document : stored))));
  known.set(document, fingerprint);
  return fingerprint;
}
