import { cleanForExport } from "../../engine/document/clean-for-export.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { TypedSecret } from "../../engine/document/typed-secrets.ts";

/** The name and the text of an exported file, and what it leaves out, in words; undefined for nothing. */
interface WorkflowFile {
  name: string;
  text: string;
  warning?: { message: string; hint: string };
}

/**
 * A workflow as a file: its document, readable, with the ids of credentials taken out: an id means nothing in another
 * account, so the receiver chooses credentials anew (S35). Secrets that were typed into fields are left out too (S69).
 */
export function toWorkflowFile(whole: WorkflowDocument): WorkflowFile {
  const { document, removed } = cleanForExport(whole);
  return {
    name: fileName(document.name, "workflow.json"),
    text: `${JSON.stringify(document, null, 2)}\n`,
    ...(removed.length === 0 ? {} : { warning: warningOf(removed) }),
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

function warningOf(removed: readonly TypedSecret[]) {
  const places = removed.slice(0, 5).map(({ title, field }) => (title === undefined ? field : `${title}: ${field}`));
  const more = removed.length > places.length ? `, and ${removed.length - places.length} more` : "";
  return {
    message: `The file leaves out what looks like a secret: ${places.join(", ")}${more}.`,
    hint: "Keep secrets in a credential instead of typing them into a field.",
  };
}
