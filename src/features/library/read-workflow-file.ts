import { readDocument } from "../../engine/document/read-document.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { registry } from "../../nodes/index.ts";

export type FileReading = { ok: true; document: WorkflowDocument; notes: string[] } | { ok: false; problems: string[] };

/** The database takes documents of up to 5 MB. */
const maxBytes = 5 * 1024 * 1024;

/** Reads an exported or hand-written workflow. Nothing is run and nothing is requested (S33). */
export function readWorkflowFile(text: string, newId: () => string): FileReading {
  if (text.length > maxBytes) return { ok: false, problems: ["The file is larger than 5 MB."] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it cannot be parsed";
    return { ok: false, problems: [`The file holds no JSON: ${reason}.`] };
  }
  const read = readDocument(value, registry, newId);
  if (!read.ok) return read;
  const unknown = Object.values(read.document.nodes).filter((node) => !Object.hasOwn(registry, node.type));
  const notes = unknown.map((node) => `"${node.title}" is of a type that this studio does not know: ${node.type}.`);
  return { ok: true, document: read.document, notes: [...read.notes, ...notes] };
}
