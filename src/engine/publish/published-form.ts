import { readDocument } from "../document/read-document.ts";
import type { NodeRecord, WorkflowDocument } from "../document/workflow-document.ts";
import { wellFormed } from "../well-formed.ts";

/** A workflow as a version holds it: as it comes back from storage, and without pins, which are for test runs only, and the report of an import. */
export function publishedForm(document: WorkflowDocument): WorkflowDocument {
  const nodes: Record<string, NodeRecord> = {};
  for (const [id, { pin: _pin, ...node }] of Object.entries(document.nodes)) nodes[id] = node;
  const { importReport: _report, ...rest } = document;
  const stored = wellFormed({ ...rest, nodes });
  const read = readDocument(stored);
  return read.ok ? read.document : stored;
}
