import { z } from "zod/mini";
import { definitionOf, portOf } from "./can-connect.ts";
import type { AnyNodeDefinition, NodeRegistry } from "./define-node.ts";
import { out, type Port } from "./ports.ts";
import { nowhere } from "./reach.ts";
import type { NodeRecord, WorkflowDocument } from "./workflow-document.ts";

/**
 * Stands in for a node whose type the registry lacks. It keeps its place in the graph, so that what leads to it and
 * hangs on it is found, and never runs. Its outputs are those that edges leave from, each of the kind that the other
 * end takes (`main` where that end is not known either).
 */
export function unknownNode(document: WorkflowDocument, registry: NodeRegistry, node: NodeRecord): AnyNodeDefinition {
  const outputs = new Map<string, Port>();
  for (const { from, to } of Object.values(document.edges)) {
    if (from.node !== node.id) continue;
    const target = document.nodes[to.node];
    const type = target && definitionOf(registry, target.type);
    outputs.set(from.port, out((type && portOf(type.inputs, to.port)?.kind) ?? "main"));
  }
  return {
    type: node.type,
    version: node.version,
    role: "flow",
    title: node.title,
    summary: "A node of an unknown type.",
    icon: "circle-question-mark",
    config: z.object({}),
    inputs: {},
    outputs: Object.fromEntries(outputs),
    reach: nowhere,
    run() {
      throw new Error(`Nodes of the type "${node.type}" cannot run here.`);
    },
  };
}
