import { renameInConfig } from "../../engine/document/node-references.ts";
import { keepReferences, nodeSlugs, setReference } from "../../engine/document/slug.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";

/**
 * Changes a node's title, and with it what expressions call it, in every expression of the document. Other nodes keep their
 * names. Edits in place.
 */
export function renameReferences(document: WorkflowDocument, nodeId: string, title: string): void {
  const node = document.nodes[nodeId];
  if (node === undefined) return;
  keepReferences(document);
  const before = nodeSlugs(document).get(nodeId);
  const others = { nodes: { ...document.nodes } };
  delete others.nodes[nodeId];
  node.title = title;
  setReference(node, undefined);
  keepReferences(document, others);
  const after = nodeSlugs(document).get(nodeId);
  if (before !== undefined && after !== undefined)
    renameInNodes(Object.values(document.nodes), new Map([[before, after]]));
}

/** Changes the names of nodes, old to new, in all expressions of these nodes. Edits in place. */
export function renameInNodes(
  nodes: readonly WorkflowDocument["nodes"][string][],
  names: ReadonlyMap<string, string>,
): void {
  for (const node of nodes) {
    const config = renameInConfig(node.config, (name) => {
      const next = names.get(name);
      return next === name ? undefined : next;
    });
    if (config !== node.config) node.config = config;
  }
}
