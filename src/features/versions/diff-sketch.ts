import { edgeKind } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { DocumentDiff } from "../../engine/document/diff-documents.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { sketchNode } from "../../state/editor/sketch-node.ts";
import type { Sketch } from "../../ui/graph/sketch.ts";

/** Both versions in one picture: the later one, and what it lost, with everything that differs marked. */
export function diffSketch(
  diff: DocumentDiff,
  { before, after, registry }: { before: WorkflowDocument; after: WorkflowDocument; registry: NodeRegistry },
): Sketch {
  const lost = Object.values(diff.nodes).flatMap((each) => (each.kind === "removed" ? [each.node] : []));
  const nodes = [...lost, ...Object.values(after.nodes)].map((node) => {
    const mark = diff.nodes[node.id]?.kind;
    return { ...sketchNode(registry, node), ...(mark === undefined ? {} : { mark }) };
  });
  const added = new Set(diff.edges.added.map(({ id }) => id));
  const edges = [
    ...Object.values(after.edges).map((edge) => ({ edge, document: after, mark: added.has(edge.id) ? "added" : null })),
    ...diff.edges.removed.map((edge) => ({ edge, document: before, mark: "removed" })),
  ];
  return {
    nodes,
    edges: edges.map(({ edge, document, mark }) => ({
      from: edge.from.node,
      to: edge.to.node,
      kind: edgeKind(document, registry, edge) ?? "main",
      ...(mark === "added" || mark === "removed" ? { mark } : {}),
    })),
  };
}
