import { cleanForExport } from "../../engine/document/clean-for-export.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { TypedSecret } from "../../engine/document/typed-secrets.ts";
import { createFilePacker, type ReadFile } from "../../engine/file/pack-files.ts";
import { withPinnedFiles } from "./pinned-files.ts";

/** Bytes of files that one workflow's file holds: whoever takes it reads 20 MB at most. */
const maxFileBytes = 10 * 1024 * 1024;

/** The name and the text of an exported file, and what it leaves out, in words; undefined for nothing. */
interface WorkflowFile {
  name: string;
  text: string;
  warning?: { message: string; hint: string };
}

/**
 * A workflow as a file: its document, readable, with the ids of credentials taken out: an id means nothing in another
 * account, so the receiver chooses credentials anew (S35). Secrets that were typed into fields are left out too (S69). The files of
 * pinned outputs go along, by `read`. Rejects as that does.
 */
export async function toWorkflowFile(
  whole: WorkflowDocument,
  read: ReadFile,
  maxBytes = maxFileBytes,
): Promise<WorkflowFile> {
  const { document, removed } = cleanForExport(whole);
  const packer = createFilePacker(read, maxBytes);
  const sent = await withPinnedFiles(document, packer);
  const left = [...packer.left];
  return {
    name: fileName(document.name, "workflow.json"),
    text: `${JSON.stringify(sent, null, 2)}\n`,
    ...(removed.length + left.length > 0 ? { warning: warningOf(removed, left) } : {}),
  };
}

function warningOf(removed: readonly TypedSecret[], left: readonly string[]) {
  const warnings = [
    ...(removed.length > 0 ? [secretWarning(removed)] : []),
    ...(left.length > 0 ? [leftWarning(left)] : []),
  ];
  return {
    message: warnings.map(({ message }) => message).join(" "),
    hint: warnings.map(({ hint }) => hint).join(" "),
  };
}

/** A workflow's name as that of a file. */
export function fileName(workflow: string, extension: string): string {
  const slug = workflow
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return `${slug === "" ? "workflow" : slug}.${extension}`;
}

function leftWarning(left: readonly string[]) {
  const names = left.slice(0, 5).map((name) => `“${name}”`);
  const more = left.length > names.length ? `, and ${left.length - names.length} more` : "";
  return {
    message: `Some files of pinned outputs were left out: ${names.join(", ")}${more}.`,
    hint: "They were deleted or did not fit: an exported workflow holds up to 10 MB of files.",
  };
}

function secretWarning(removed: readonly TypedSecret[]) {
  const places = removed.slice(0, 5).map(({ title, field }) => (title === undefined ? field : `${title}: ${field}`));
  const more = removed.length > places.length ? `, and ${removed.length - places.length} more` : "";
  return {
    message: `The file leaves out what looks like a secret: ${places.join(", ")}${more}.`,
    hint: "Keep secrets in a credential instead of typing them into a field.",
  };
}
