import type { NodeRegistry } from "./define-node.ts";
import { definitionOf } from "./can-connect.ts";
import type { CheckedNode } from "./problem.ts";
import { unknownNode } from "./unknown-node.ts";
import type { WorkflowDocument } from "./workflow-document.ts";

/** The nodes of a workflow by id, each with its type and its edges. One of an unknown type has a definition that does nothing. */
export function checkedNodes(document: WorkflowDocument, registry: NodeRegistry): ReadonlyMap<string, CheckedNode> {
  const known = new Map<string, CheckedNode>();
  for (const node of Object.values(document.nodes)) {
    const definition = definitionOf(registry, node.type) ?? unknownNode(document, registry, node);
    known.set(node.id, { node, definition, incoming: [], outgoing: [] });
  }
  for (const edge of Object.values(document.edges)) {
    known.get(edge.from.node)?.outgoing.push(edge);
    known.get(edge.to.node)?.incoming.push(edge);
  }
  return known;
}
