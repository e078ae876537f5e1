import { readDocument, type ReadResult } from "../../../engine/document/read-document.ts";
import { nodeRegistry } from "../../../nodes/index.ts";

/** The database takes documents of up to 5 MB. */
const maxBytes = 5 * 1024 * 1024;

/** Reads an exported or hand-written workflow. Nothing is run and nothing is requested (S33). */
export function readWorkflowFile(text: string, newId: () => string): ReadResult {
  if (text.length > maxBytes) return { ok: false, problems: ["The file is larger than 5 MB."] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it cannot be parsed";
    return { ok: false, problems: [`The file does not contain JSON: ${reason}.`] };
  }
  return readDocument(value, nodeRegistry, newId);
}
