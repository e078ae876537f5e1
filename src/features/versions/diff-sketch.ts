import { definitionOf, edgeKind } from "../../engine/document/can-connect.ts";
import type { NodeRegistry, NodeRole } from "../../engine/document/define-node.ts";
import type { DocumentDiff } from "../../engine/document/diff-documents.ts";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Sketch, SketchMark, SketchNode, SketchRole } from "../../ui/graph/sketch.ts";

const roles: Record<NodeRole, SketchRole> = {
  trigger: "main",
  agent: "main",
  flow: "main",
  model: "model",
  memory: "memory",
  tool: "tool",
};

function sketchNode(registry: NodeRegistry, node: NodeRecord, mark: SketchMark | undefined): SketchNode {
  const { id, type, title, position, config } = node;
  const definition = definitionOf(registry, type);
  const marked = mark === undefined ? {} : { mark };
  const place = { id, x: position.x, y: position.y, title, ...marked };
  const isCard = definition === undefined || Object.keys(definition.outputs).length > 0 || config["folded"] === true;
  if (isCard) return { ...place, role: definition ? roles[definition.role] : "main" };
  const { width, height } = config;
  const size = { width: typeof width === "number" ? width : 232, height: typeof height === "number" ? height : 120 };
  return { ...place, role: definition.drawnAs ?? "note", size };
}

/** Both versions in one picture: the later one, and what it lost, with everything that differs marked. */
export function diffSketch(
  diff: DocumentDiff,
  { before, after, registry }: { before: WorkflowDocument; after: WorkflowDocument; registry: NodeRegistry },
): Sketch {
  const lost = Object.values(diff.nodes).flatMap((each) => (each.kind === "removed" ? [each.node] : []));
  const nodes = [...lost, ...Object.values(after.nodes)].map((node) =>
    sketchNode(registry, node, diff.nodes[node.id]?.kind),
  );
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
