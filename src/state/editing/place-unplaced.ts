import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Point } from "../editor/canvas-store.ts";
import { hiddenNodes, isFolded, isGroup } from "./group-members.ts";
import { layoutWorkflow } from "./layout-workflow.ts";
import { boxAround, nodeBox, nodeSize } from "./node-box.ts";
import { placeAdded, withPlaces } from "./place-added.ts";

/** Canvas pixels between a card and what stands above it, and between notes side by side. */
const gap = 48;

/**
 * The document with a tidy place for each of these nodes, which have none yet; the others stay where they are. Where no card has a
 * place, all are laid out as by Tidy; else each comes beside what it is connected with. Frames and notes have no wires, so nothing
 * says where they belong: they come above everything else.
 */
export async function placeUnplaced(
  document: WorkflowDocument,
  unplaced: readonly string[],
  registry: NodeRegistry,
): Promise<WorkflowDocument> {
  const open = new Set(unplaced);
  if (open.size === 0) return document;
  const isLoose = (node: NodeRecord) => open.has(node.id) && isFrameOrNote(node, registry);
  const loose = Object.values(document.nodes).filter(isLoose);
  const wired = { ...document, nodes: only(document, (node) => !isLoose(node)) };
  const hidden = hiddenNodes(wired.nodes);
  const isPlacedCard = (node: NodeRecord) =>
    !open.has(node.id) && !hidden.has(node.id) && !isFrameOrNote(node, registry);
  const placed = Object.values(wired.nodes).some(isPlacedCard)
    ? await placeAdded({ ...wired, nodes: only(wired, ({ id }) => !open.has(id)) }, wired, registry)
    : await asByTidy(wired, open, registry);
  return withPlaces(document, { ...positionsIn(placed), ...rowAbove(placed, loose, registry) });
}

function only(document: WorkflowDocument, isWanted: (node: NodeRecord) => boolean): WorkflowDocument["nodes"] {
  return Object.fromEntries(Object.entries(document.nodes).filter(([, node]) => isWanted(node)));
}

function isFrameOrNote(node: NodeRecord, registry: NodeRegistry): boolean {
  return definitionOf(registry, node.type)?.drawnAs === "note" || (isGroup(node) && !isFolded(node));
}

async function asByTidy(
  document: WorkflowDocument,
  open: ReadonlySet<string>,
  registry: NodeRegistry,
): Promise<WorkflowDocument> {
  const cards = only(document, (node) => !isFrameOrNote(node, registry));
  const { positions } = await layoutWorkflow({ ...document, nodes: cards }, registry);
  return withPlaces(document, Object.fromEntries(Object.entries(positions).filter(([id]) => open.has(id))));
}

function positionsIn({ nodes }: WorkflowDocument): Record<string, Point> {
  return Object.fromEntries(Object.entries(nodes).map(([id, { position }]) => [id, position]));
}

function rowAbove(
  document: WorkflowDocument,
  loose: readonly NodeRecord[],
  registry: NodeRegistry,
): Record<string, Point> {
  const around = boxAround(Object.values(document.nodes).map((node) => nodeBox(registry, node))) ?? { x: 0, y: 0 };
  const places: Record<string, Point> = {};
  let x = around.x;
  for (const node of loose) {
    const { width, height } = nodeSize(registry, node);
    places[node.id] = { x, y: around.y - height - gap };
    x += width + gap;
  }
  return places;
}
