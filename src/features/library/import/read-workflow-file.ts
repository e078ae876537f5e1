import { readDocument } from "../../../engine/document/read-document.ts";
import { unplacedNodes } from "../../../engine/document/unplaced-nodes.ts";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import { readJson } from "../../../engine/json.ts";

/** The database takes documents of up to 5 MB. */
const maxBytes = 5 * 1024 * 1024;

const exportAgain = "Export the workflow again, or choose another file.";

/** That a JSON object is something else than a workflow, and how that shows; undefined for one with nodes. */
function lacksNodes(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value) || "nodes" in value) return undefined;
  const keys = Object.keys(value);
  const has =
    keys.length === 0 ? "It is empty" : `It has ${keys.slice(0, 6).join(", ")}${keys.length > 6 ? ", …" : ""}`;
  return `This is JSON, but not a workflow: it has no "nodes". ${has}. Export a workflow here or in a builder that can be read, and use that file.`;
}

/** `unplaced` are the ids of nodes for which the file has no place; they stand in a row. */
type ReadFile =
  | { ok: true; document: WorkflowDocument; notes: string[]; unplaced: string[] }
  | { ok: false; problems: string[] };

/** Reads an exported or hand-written workflow. Nothing is run and nothing is requested (S33). */
export function readWorkflowFile(text: string, newId: () => string): ReadFile {
  if (text.length > maxBytes) return { ok: false, problems: ["The file is larger than 5 MB."] };
  if (text.trim() === "") return { ok: false, problems: [`The file is empty. ${exportAgain}`] };
  let value: unknown;
  try {
    value = readJson(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it cannot be parsed";
    return { ok: false, problems: [`The file does not contain JSON: ${reason}. ${exportAgain}`] };
  }
  const lacking = lacksNodes(value);
  if (lacking !== undefined) return { ok: false, problems: [lacking] };
  const read = readDocument(value, nodeRegistry, newId);
  return read.ok ? { ...read, unplaced: unplacedNodes(value) } : read;
}
