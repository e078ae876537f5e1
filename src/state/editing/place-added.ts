import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Point } from "../editor/canvas-store.ts";
import { layoutDocument } from "./layout-document.ts";
import { nodeSize } from "./node-box.ts";
import { freePlace } from "./place-node.ts";

/**
 * The draft with a place for each node that the base lacks; the others stay where they are. A new node stands to a node that it
 * is connected with as a tidy layout of the whole would have it, or at the nearest free place.
 */
export async function placeAdded(
  base: WorkflowDocument,
  draft: WorkflowDocument,
  registry: NodeRegistry,
): Promise<WorkflowDocument> {
  const added = new Set(Object.keys(draft.nodes).filter((id) => base.nodes[id] === undefined));
  if (added.size === 0) return draft;
  const tidy = await layoutDocument(draft, registry);
  if (added.size === Object.keys(draft.nodes).length) return withPlaces(draft, tidy);
  const placed: WorkflowDocument = {
    ...draft,
    nodes: Object.fromEntries(Object.entries(draft.nodes).filter(([id]) => !added.has(id))),
  };
  const open = [...added];
  while (open.length > 0) {
    const next = open.find((id) => neighbourOf(draft, id, placed) !== undefined) ?? open[0];
    if (next === undefined) break;
    open.splice(open.indexOf(next), 1);
    const node = draft.nodes[next];
    if (node === undefined) continue;
    const anchor = neighbourOf(draft, next, placed) ?? Object.keys(placed.nodes)[0] ?? "";
    const [own, at, from] = [tidy[next], placed.nodes[anchor]?.position, tidy[anchor]];
    const wanted = own && at && from ? { x: at.x + own.x - from.x, y: at.y + own.y - from.y } : { x: 0, y: 0 };
    const position = freePlace(placed, registry, wanted, nodeSize(registry, node));
    placed.nodes[next] = { ...node, position };
  }
  // In the order of the draft, since names of nodes depend on it.
  const nodes = Object.fromEntries(
    Object.keys(draft.nodes).flatMap((id) => (placed.nodes[id] ? [[id, placed.nodes[id]]] : [])),
  );
  return { ...draft, nodes };
}

function neighbourOf(draft: WorkflowDocument, id: string, placed: WorkflowDocument): string | undefined {
  for (const { from, to } of Object.values(draft.edges)) {
    const other = from.node === id ? to.node : to.node === id ? from.node : undefined;
    if (other !== undefined && placed.nodes[other] !== undefined) return other;
  }
  return undefined;
}

/** The document with its nodes at these places; those without one stay where they are. */
export function withPlaces(document: WorkflowDocument, places: Readonly<Record<string, Point>>): WorkflowDocument {
  const nodes = Object.entries(document.nodes).map(([id, node]) => [
    id,
    { ...node, position: places[id] ?? node.position },
  ]);
  return { ...document, nodes: Object.fromEntries(nodes) };
}
