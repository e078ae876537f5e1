import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { stickyNote } from "../../nodes/flow/sticky-note.ts";
import { hiddenNodes, isFolded, isGroup } from "../../stores/editing/group-members.ts";
import type { Sketch, SketchKind, SketchNode } from "../../ui/graph/sketch.ts";

/** The kinds by the fixed names of an agent's inputs. */
const kindOfInput: Readonly<Record<string, SketchKind>> = {
  model: "model",
  fallback: "model",
  memory: "memory",
  tools: "tool",
};

const sizeOf = ({ config: { width, height } }: NodeRecord) => ({
  width: typeof width === "number" ? width : 232,
  height: typeof height === "number" ? height : 120,
});

/**
 * The boxes and lines of a workflow. A node's role is told by what it serves; a folded group stands for what is in it.
 * Notes are left out where `notes` says so.
 */
export function sketchOf(document: Pick<WorkflowDocument, "nodes" | "edges">, { notes = true } = {}): Sketch {
  const hidden = hiddenNodes(document.nodes);
  const edges = Object.values(document.edges).flatMap(({ from, to }) => {
    const ends = { from: hidden.get(from.node) ?? from.node, to: hidden.get(to.node) ?? to.node };
    return ends.from === ends.to ? [] : [{ ...ends, kind: kindOfInput[to.port] ?? ("main" as const) }];
  });
  const roles = new Map(edges.map((edge) => [edge.from, edge.kind]));
  const nodes = Object.values(document.nodes).flatMap((node): SketchNode[] => {
    const { id, type, position } = node;
    const place = { id, x: position.x, y: position.y };
    if (hidden.has(id)) return [];
    if (type === stickyNote.type) return notes ? [{ ...place, role: "note", size: sizeOf(node) }] : [];
    if (isGroup(node) && !isFolded(node)) return [{ ...place, role: "frame", size: sizeOf(node), title: node.title }];
    return [{ ...place, role: roles.get(id) ?? "main", title: node.title }];
  });
  return { nodes, edges };
}
