import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Point } from "../editor/canvas-store.ts";
import { groupMembers, hiddenNodes, isFolded, isGroup } from "./group-members.ts";
import { layoutDocument } from "./layout-document.ts";
import { boxAround, type Box, middleOf, nodeBox, nodeSize, type Size } from "./node-box.ts";
import { snap } from "./place-node.ts";

/** Canvas pixels between a frame and what is in it; more above, where the title stands. */
const padding = { side: 24, top: 56 };

export interface Layout {
  /** New upper left corners by node id. */
  positions: Record<string, Point>;
  /** New sizes of open groups by node id. */
  sizes: Record<string, Size>;
}

const isNote = (registry: NodeRegistry, { type }: NodeRecord) => definitionOf(registry, type)?.drawnAs === "note";

function distance(a: Box, b: Box): number {
  const [from, to] = [middleOf(a), middleOf(b)];
  return Math.hypot(from.x - to.x, from.y - to.y);
}

/** Notes go where the card goes that they stood nearest to. */
function moveNotes(document: WorkflowDocument, registry: NodeRegistry, positions: Record<string, Point>): void {
  const cards = Object.values(document.nodes).flatMap((node) =>
    positions[node.id] === undefined ? [] : [{ ...node, box: nodeBox(registry, node) }],
  );
  for (const note of Object.values(document.nodes).filter((node) => isNote(registry, node))) {
    const box = nodeBox(registry, note);
    let nearest: (typeof cards)[number] | undefined;
    for (const card of cards) {
      if (nearest === undefined || distance(box, card.box) < distance(box, nearest.box)) nearest = card;
    }
    const to = nearest && positions[nearest.id];
    if (nearest === undefined || to === undefined) continue;
    positions[note.id] = snap({
      x: note.position.x + to.x - nearest.position.x,
      y: note.position.y + to.y - nearest.position.y,
    });
  }
}

/** Open frames close around what was in them. Inner ones come first, so that outer ones close around those. */
function fitFrames(document: WorkflowDocument, registry: NodeRegistry, layout: Layout): void {
  const open = Object.values(document.nodes).filter((node) => isGroup(node) && !isFolded(node));
  const byArea = open.toSorted((a, b) => {
    const [first, second] = [nodeSize(registry, a), nodeSize(registry, b)];
    return first.width * first.height - second.width * second.height;
  });
  for (const group of byArea) {
    const boxes = groupMembers(document.nodes, registry, group).flatMap((id): Box[] => {
      const node = document.nodes[id];
      const at = layout.positions[id] ?? node?.position;
      return node && at ? [{ ...at, ...(layout.sizes[id] ?? nodeSize(registry, node)) }] : [];
    });
    const around = boxAround(boxes);
    if (around === undefined) continue;
    layout.positions[group.id] = snap({ x: around.x - padding.side, y: around.y - padding.top });
    layout.sizes[group.id] = {
      width: around.width + padding.side * 2,
      height: around.height + padding.side + padding.top,
    };
  }
}

/**
 * A tidy place for every node, or for `only` some, which then stay where they are as a whole. Notes stay beside the
 * card that they stood at, open groups close around their nodes, a folded group takes its nodes along.
 */
export async function layoutWorkflow(
  document: WorkflowDocument,
  registry: NodeRegistry,
  only?: readonly string[],
): Promise<Layout> {
  const hidden = hiddenNodes(document.nodes);
  const wanted = only === undefined ? undefined : new Set(only);
  const shown = Object.values(document.nodes).filter(
    (node) => !isNote(registry, node) && !(isGroup(node) && !isFolded(node)) && !hidden.has(node.id),
  );
  const cards = shown.filter((node) => wanted === undefined || wanted.has(node.id));
  const edges = Object.entries(document.edges).flatMap(([id, edge]) => {
    const from = { ...edge.from, node: hidden.get(edge.from.node) ?? edge.from.node };
    const to = { ...edge.to, node: hidden.get(edge.to.node) ?? edge.to.node };
    return from.node === to.node ? [] : [[id, { id, from, to }] as const];
  });
  const nodes = Object.fromEntries(cards.map((node) => [node.id, node]));
  const part: WorkflowDocument = {
    ...document,
    nodes,
    edges: Object.fromEntries(edges.filter(([, { from, to }]) => nodes[from.node] && nodes[to.node])),
  };
  const positions = await layoutDocument(part, registry);
  keepCorner(part, registry, positions);
  for (const group of cards.filter(isGroup)) {
    const to = positions[group.id];
    if (to === undefined) continue;
    for (const id of groupMembers(document.nodes, registry, group)) {
      const member = document.nodes[id];
      if (member === undefined) continue;
      positions[id] = snap({
        x: member.position.x + to.x - group.position.x,
        y: member.position.y + to.y - group.position.y,
      });
    }
  }
  const layout: Layout = { positions, sizes: {} };
  if (only === undefined) moveNotes(document, registry, positions);
  fitFrames(document, registry, layout);
  return layout;
}

/** Moves the whole layout to where its nodes stood before, so that the rest of the canvas keeps its place. */
function keepCorner(part: WorkflowDocument, registry: NodeRegistry, positions: Record<string, Point>): void {
  const nodes = Object.values(part.nodes);
  const before = boxAround(nodes.map((node) => nodeBox(registry, node)));
  const after = boxAround(
    nodes.flatMap((node) => {
      const at = positions[node.id];
      return at === undefined ? [] : [{ ...at, ...nodeSize(registry, node) }];
    }),
  );
  if (before === undefined || after === undefined) return;
  for (const [id, { x, y }] of Object.entries(positions)) {
    positions[id] = snap({ x: x + before.x - after.x, y: y + before.y - after.y });
  }
}
