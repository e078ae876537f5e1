import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { hiddenNodes } from "../../state/editing/group-members.ts";
import { sketchNode } from "../../state/editor/sketch-node.ts";
import type { Sketch, SketchKind } from "../../ui/graph/sketch.ts";

/** The kinds by the fixed names of an agent's inputs. */
const kindOfInput: Readonly<Record<string, SketchKind>> = {
  model: "model",
  fallback: "model",
  memory: "memory",
  tools: "tool",
};

/** The cards and lines of a workflow; a folded group stands for what is in it. Notes are left out where `notes` says so. */
export function sketchOf(document: Pick<WorkflowDocument, "nodes" | "edges">, { notes = true } = {}): Sketch {
  const hidden = hiddenNodes(document.nodes);
  const edges = Object.values(document.edges).flatMap(({ from, to }) => {
    const ends = { from: hidden.get(from.node) ?? from.node, to: hidden.get(to.node) ?? to.node };
    return ends.from === ends.to ? [] : [{ ...ends, kind: kindOfInput[to.port] ?? ("main" as const) }];
  });
  const nodes = Object.values(document.nodes)
    .filter(({ id }) => !hidden.has(id))
    .map((node) => sketchNode(nodeRegistry, node))
    .filter(({ role }) => notes || role !== "note");
  return { nodes, edges };
}
