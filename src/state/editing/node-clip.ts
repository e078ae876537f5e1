import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { isJsonObject, parseJson } from "../../engine/json.ts";
import type { Selection } from "../editor/canvas-store.ts";
import { withMembers } from "./group-members.ts";

/** The format of copied nodes: JSON that a person can read, keep in a file, or send to someone. */
const clipMark = "switchyard-nodes";

/** Nodes with the edges among them. */
export type Part = Pick<WorkflowDocument, "nodes" | "edges">;

/** The selected nodes, all that belongs to the groups among them, and the edges among all of these. */
export function selectedPart(document: WorkflowDocument, registry: NodeRegistry, selection: Selection): Part {
  const ids = new Set(withMembers(document.nodes, registry, Object.keys(selection.nodes)));
  const nodes = Object.fromEntries(Object.entries(document.nodes).filter(([id]) => ids.has(id)));
  const edges = Object.fromEntries(
    Object.entries(document.edges).filter(([, edge]) => nodes[edge.from.node] && nodes[edge.to.node]),
  );
  return { nodes, edges };
}

/** Copied nodes as text. A credential stays the id that it is: it means something to its owner's account alone. */
export function clipText(part: Part): string {
  return JSON.stringify(
    { kind: clipMark, nodes: Object.values(part.nodes), edges: Object.values(part.edges) },
    null,
    2,
  );
}

/** JSON, the first lines of a workflow in YAML, or code of the Agents SDK. */
const looksLikeWorkflow =
  /^\s*[[{]|^(?:app|kind|dependencies|workflow|openapi):(?:\s|$)|from\s*["']@openai\/agents["']/;

/**
 * What a text is that somebody pastes: copied nodes, what is meant as a workflow, whether or not it can be read as one, or words.
 * Null for nothing.
 */
export function kindOfClip(text: string): "nodes" | "workflow" | "words" | null {
  if (text.trim() === "") return null;
  if (!looksLikeWorkflow.test(text)) return "words";
  const value = parseJson(text);
  return isJsonObject(value) && value["kind"] === clipMark ? "nodes" : "workflow";
}
