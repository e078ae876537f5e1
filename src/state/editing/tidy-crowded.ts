import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { hiddenNodes, isFolded, isGroup } from "./group-members.ts";
import { layoutWorkflow } from "./layout-workflow.ts";
import { type Box, nodeBox } from "./node-box.ts";
import { withPlaces } from "./place-added.ts";

/** Canvas pixels between two cards below which the wire between them cannot be seen. */
const least = 24;

const tooClose = (a: Box, b: Box) =>
  a.x < b.x + b.width + least &&
  b.x < a.x + a.width + least &&
  a.y < b.y + b.height + least &&
  b.y < a.y + a.height + least;

/** Whether cards lie on or hard beside one another. Notes and open frames may lie under cards. */
function isCrowded({ nodes }: WorkflowDocument, registry: NodeRegistry): boolean {
  const hidden = hiddenNodes(nodes);
  const boxes = Object.values(nodes)
    .filter(
      (node) =>
        !hidden.has(node.id) &&
        definitionOf(registry, node.type)?.drawnAs !== "note" &&
        !(isGroup(node) && !isFolded(node)),
    )
    .map((node) => nodeBox(registry, node))
    .toSorted((a, b) => a.x - b.x);
  return boxes.some((box, index) => {
    for (const other of boxes.slice(index + 1)) {
      if (other.x >= box.x + box.width + least) return false;
      if (tooClose(box, other)) return true;
    }
    return false;
  });
}

/** The document as Tidy up lays it out where its cards are crowded, such as after an import from a builder with smaller ones. */
export async function tidyCrowded(document: WorkflowDocument, registry: NodeRegistry): Promise<WorkflowDocument> {
  if (!isCrowded(document, registry)) return document;
  const { positions, sizes } = await layoutWorkflow(document, registry);
  const placed = withPlaces(document, positions);
  const nodes = Object.entries(placed.nodes).map(([id, node]) => [
    id,
    sizes[id] === undefined ? node : { ...node, config: { ...node.config, ...sizes[id] } },
  ]);
  return { ...placed, nodes: Object.fromEntries(nodes) };
}
