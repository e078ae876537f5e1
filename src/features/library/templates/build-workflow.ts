import { newDocument } from "../../../engine/document/new-document.ts";
import type { NodeRecord, WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import type { JsonObject } from "../../../engine/json.ts";
import { nodeRegistry } from "../../../nodes/index.ts";

/** One node of a template. Config fields that are left out take their defaults. */
export interface TemplateNode {
  type: string;
  title: string;
  at: readonly [x: number, y: number];
  config?: JsonObject;
}

/** Builds a workflow from short notes: nodes by name, edges as `["from.port", "to.port"]`. */
export function buildWorkflow(
  id: string,
  name: string,
  nodes: Readonly<Record<string, TemplateNode>>,
  edges: readonly (readonly [from: string, to: string])[],
): WorkflowDocument {
  const document = newDocument(id, name);
  for (const [nodeId, node] of Object.entries(nodes)) document.nodes[nodeId] = toRecord(nodeId, node);
  for (const [from, to] of edges) {
    const edgeId = `${from}-${to}`;
    document.edges[edgeId] = { id: edgeId, from: endpoint(from), to: endpoint(to) };
  }
  return document;
}

function toRecord(id: string, { type, title, at: [x, y], config = {} }: TemplateNode): NodeRecord {
  return { id, type, version: nodeRegistry[type]?.version ?? 1, title, position: { x, y }, config };
}

function endpoint(text: string): { node: string; port: string } {
  const [node = "", port = ""] = text.split(".");
  return { node, port };
}
