import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json, JsonObject } from "../../engine/json.ts";

/** The name and the text of an exported file. */
interface WorkflowFile {
  name: string;
  text: string;
}

/**
 * A workflow as a file: its document, readable, with the ids of credentials taken out. A config never holds a secret, and
 * an id means nothing in another account, so the receiver chooses credentials anew (S35).
 */
export function toWorkflowFile(document: WorkflowDocument): WorkflowFile {
  const nodes = Object.fromEntries(
    Object.entries(document.nodes).map(([id, node]) => [id, { ...node, config: withoutCredentials(node.config) }]),
  );
  const slug = document.name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return {
    name: `${slug === "" ? "workflow" : slug}.workflow.json`,
    text: `${JSON.stringify({ ...document, nodes }, null, 2)}\n`,
  };
}

function withoutCredentials(config: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]): [string, Json] => [key, key === "credential" ? "" : value]),
  );
}
