import { readDocument } from "../../../engine/document/read-document.ts";
import { unplacedNodes } from "../../../engine/document/unplaced-nodes.ts";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import { readJson } from "../../../engine/json.ts";
import { type SentFile, sentFileSchema } from "../../../engine/file/sent-file.ts";

/** The database takes documents of up to 5 MB. */
const maxBytes = 5 * 1024 * 1024;

/** Characters of a file whose pinned outputs bring bytes along. */
const maxChars = 60_000_000;

const exportAgain = "Export the workflow again, or choose another file.";

/** That a JSON object is something else than a workflow, and how that shows; undefined for one with nodes. */
function lacksNodes(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value) || "nodes" in value) return undefined;
  const keys = Object.keys(value);
  const has =
    keys.length === 0 ? "It is empty" : `It has ${keys.slice(0, 6).join(", ")}${keys.length > 6 ? ", …" : ""}`;
  return `This is JSON, but not a workflow: it has no "nodes". ${has}. Export a workflow here or in a builder that can be read, and use that file.`;
}

/** `unplaced` are the ids of nodes for which the file has no place; they stand in a row. `sent` are the files of its pinned outputs. */
type ReadFile =
  | { ok: true; document: WorkflowDocument; notes: string[]; unplaced: string[]; sent: SentFile[] }
  | { ok: false; problems: string[] };

/** Reads an exported or hand-written workflow. Nothing is run and nothing is requested (S33). */
export function readWorkflowFile(text: string, newId: () => string): ReadFile {
  if (text.length > maxBytes && !(text.length <= maxChars && text.includes('"base64"'))) return tooLarge;
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
  const { sent, workflow } = withoutSent(value);
  if (text.length > maxBytes && JSON.stringify(workflow).length > maxBytes) return tooLarge;
  const read = readDocument(workflow, nodeRegistry, newId);
  return read.ok ? { ...read, unplaced: unplacedNodes(workflow), sent } : read;
}

const tooLarge: ReadFile = { ok: false, problems: ["The file is larger than 5 MB."] };

/** The workflow, and the files that came along. What is no such file is left out. */
function withoutSent(value: unknown): { workflow: unknown; sent: SentFile[] } {
  if (typeof value !== "object" || value === null || !("files" in value)) return { workflow: value, sent: [] };
  const { files, ...workflow } = value;
  const sent = (Array.isArray(files) ? files : []).flatMap((file) => sentFileSchema.safeParse(file).data ?? []);
  return { workflow, sent };
}
