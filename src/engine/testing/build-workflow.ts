import { schemaVersion, type WorkflowDocument } from "../document/workflow-document.ts";
import type { JsonObject } from "../json.ts";

/** A workflow in short: node id → type, config and title (the id when absent); edges as `from.port -> to.port`. */
export interface WorkflowSketch {
  id?: string;
  name?: string;
  nodes: Record<string, [type: string, config?: JsonObject, title?: string]>;
  edges?: string[];
}

function endpoint(text: string) {
  const [node = "", port = ""] = text.trim().split(".");
  return { node, port };
}

/**
 * A document from a sketch: `buildWorkflow({ nodes: { start: ["manual-trigger"] }, edges: ["start.main -> agent.main"] })`.
 * An edge's id is its text. Nothing is checked, so that tests can build broken documents too.
 */
export function buildWorkflow(sketch: WorkflowSketch): WorkflowDocument {
  const nodes: WorkflowDocument["nodes"] = {};
  for (const [index, [id, [type, config = {}, title = id]]] of Object.entries(sketch.nodes).entries())
    nodes[id] = { id, type, version: 1, title, position: { x: index * 240, y: 0 }, config };
  const edges: WorkflowDocument["edges"] = {};
  for (const id of sketch.edges ?? []) {
    const [from = "", to = ""] = id.split("->");
    edges[id] = { id, from: endpoint(from), to: endpoint(to) };
  }
  return { schemaVersion, id: sketch.id ?? "workflow-1", name: sketch.name ?? "Test workflow", nodes, edges };
}
