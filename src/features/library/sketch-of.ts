import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Sketch, SketchNode } from "../../ui/sketch.ts";

type EdgeKind = Sketch["edges"][number]["kind"];

/** The kinds by the fixed names of an agent's inputs. */
const kindOfInput: Readonly<Record<string, EdgeKind>> = {
  model: "model",
  fallback: "model",
  memory: "memory",
  tools: "tool",
};

/** Frames that people draw around or beside nodes: no part of what runs. */
const frames: ReadonlySet<string> = new Set(["sticky-note", "group"]);

const sizeOf = ({ config: { width, height } }: NodeRecord) => ({
  width: typeof width === "number" ? width : 232,
  height: typeof height === "number" ? height : 120,
});

/**
 * The boxes and lines of a workflow. A node's role is told by what it serves; groups are left out, and notes too where
 * `notes` says so.
 */
export function sketchOf(document: Pick<WorkflowDocument, "nodes" | "edges">, { notes = true } = {}): Sketch {
  const edges = Object.values(document.edges).map(({ from, to }) => ({
    from: from.node,
    to: to.node,
    kind: kindOfInput[to.port] ?? ("main" as const),
  }));
  const roles = new Map(edges.map((edge) => [edge.from, edge.kind]));
  const nodes = Object.values(document.nodes).flatMap((node): SketchNode[] => {
    const { id, type, position } = node;
    const place = { id, x: position.x, y: position.y };
    if (!frames.has(type)) return [{ ...place, role: roles.get(id) ?? "main" }];
    return type === "sticky-note" && notes ? [{ ...place, role: "note", size: sizeOf(node) }] : [];
  });
  return { nodes, edges };
}
