import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Sketch, SketchRole } from "../../ui/graph-sketch.tsx";

/** The kinds by the fixed names of an agent's inputs. */
const kindOfInput: Readonly<Record<string, SketchRole>> = {
  model: "model",
  fallback: "model",
  memory: "memory",
  tools: "tool",
};

/** The boxes and lines of a workflow. A node's role is told by what it serves. */
export function sketchOf(document: Pick<WorkflowDocument, "nodes" | "edges">): Sketch {
  const edges = Object.values(document.edges).map(({ from, to }) => ({
    from: from.node,
    to: to.node,
    kind: kindOfInput[to.port] ?? ("main" as const),
  }));
  const roles = new Map(edges.map((edge) => [edge.from, edge.kind]));
  const nodes = Object.values(document.nodes).map(({ id, position }) => ({
    id,
    x: position.x,
    y: position.y,
    role: roles.get(id) ?? ("main" as const),
  }));
  return { nodes, edges };
}
