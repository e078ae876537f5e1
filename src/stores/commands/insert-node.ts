import { definitionOf } from "../../engine/document/can-connect.ts";
import { newNode } from "../../engine/document/new-document.ts";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Point } from "../canvas-store.ts";
import { edgesOf } from "../editing/edge-index.ts";
import { makeRoom, placeOnEdge, splitEdge } from "../editing/insert-on-edge.ts";
import { middleOf, nodeBox, nodeSize } from "../editing/node-box.ts";
import { snap } from "../editing/place-node.ts";
import { uniqueTitle } from "../editing/unique-title.ts";
import type { NodeStart } from "./add-node.ts";
import type { Command, CommandContext } from "./command.ts";

type Split = NonNullable<ReturnType<typeof splitEdge>>;

/** Puts the node where it stands, between the ends of the edge. Edits in place. */
function putBetween(
  context: CommandContext,
  document: WorkflowDocument,
  edgeId: string,
  { node, split, room }: { node: NodeRecord; split: Split; room: Record<string, Point> },
): void {
  document.nodes[node.id] = node;
  delete document.edges[edgeId];
  for (const connection of [split.into, split.outOf]) {
    const id = context.newId();
    document.edges[id] = { id, ...connection };
  }
  for (const [id, position] of Object.entries(room)) {
    const moved = document.nodes[id];
    if (moved !== undefined && id !== node.id) moved.position = position;
  }
}

/** Halfway between the cards that an edge joins. */
function middleOfEdge({ document, registry }: CommandContext, edgeId: string): Point {
  const workflow = document.getState().document;
  const edge = workflow.edges[edgeId];
  const ends = [edge?.from.node, edge?.to.node].flatMap((id) => workflow.nodes[id ?? ""] ?? []);
  const middles = ends.map((node) => middleOf(nodeBox(registry, node)));
  const sum = middles.reduce((total, point) => ({ x: total.x + point.x, y: total.y + point.y }), { x: 0, y: 0 });
  return { x: sum.x / Math.max(1, middles.length), y: sum.y / Math.max(1, middles.length) };
}

/**
 * Adds a node of a type between the ends of an edge, with its middle at a point (halfway when absent), and moves what
 * follows on where there is no room. Returns its id, or undefined when it does not fit there.
 */
export function insertNewNode(
  context: CommandContext,
  { type, start, edgeId, at }: { type: string; start?: NodeStart; edgeId: string; at?: Point },
): string | undefined {
  const store = context.document.getState();
  const edge = store.document.edges[edgeId];
  const definition = definitionOf(context.registry, type);
  if (edge === undefined || definition === undefined) return undefined;
  const title = uniqueTitle(store.document, start?.title ?? definition.title);
  const draft = newNode(definition, { id: context.newId(), position: { x: 0, y: 0 }, title, config: start?.config });
  const split = splitEdge(store.document, context.registry, edge, draft);
  if (split === undefined) return undefined;
  const size = nodeSize(context.registry, draft);
  const middle = at ?? middleOfEdge(context, edgeId);
  const corner = { x: middle.x - size.width / 2, y: middle.y - size.height / 2 };
  const place = { position: corner, size };
  const position = snap(placeOnEdge(store.document, context.registry, edge, place));
  const node = { ...draft, position };
  const room = makeRoom(store.document, context.registry, edge, { position, width: size.width });
  store.edit(`Insert ${title}`, (document) => putBetween(context, document, edgeId, { node, split, room }));
  context.canvas.getState().select([node.id]);
  return node.id;
}

/** Whether a node that stands alone could be put on an edge. */
export function canInsertExisting({ document, registry }: CommandContext, nodeId: string, edgeId: string): boolean {
  const workflow = document.getState().document;
  const edge = workflow.edges[edgeId];
  const node = workflow.nodes[nodeId];
  if (edge === undefined || node === undefined) return false;
  const { incoming, outgoing } = edgesOf(workflow.edges, nodeId);
  const standsAlone = outgoing.length === 0 && incoming.every(({ to }) => to.port !== "main");
  return standsAlone && splitEdge(workflow, registry, edge, node) !== undefined;
}

/** Puts a node that was dragged onto an edge between its ends, moved to `position`, as one undo step. */
export function insertExisting(
  context: CommandContext,
  { nodeId, edgeId, position }: { nodeId: string; edgeId: string; position: Point },
): void {
  const store = context.document.getState();
  const edge = store.document.edges[edgeId];
  const record = store.document.nodes[nodeId];
  const split = edge && record && splitEdge(store.document, context.registry, edge, record);
  if (edge === undefined || record === undefined || split === undefined) return;
  const size = nodeSize(context.registry, record);
  const place = placeOnEdge(store.document, context.registry, edge, { position, size });
  const node = { ...record, position: snap(place) };
  const { width } = size;
  const room = makeRoom(store.document, context.registry, edge, { position: node.position, width });
  store.edit(`Insert ${node.title}`, (document) => putBetween(context, document, edgeId, { node, split, room }));
  context.canvas.getState().select([nodeId]);
}

function onlySelectedEdge({ canvas }: CommandContext): string | undefined {
  const { nodes, edges } = canvas.getState().selection;
  const ids = Object.keys(edges);
  return Object.keys(nodes).length === 0 && ids.length === 1 ? ids[0] : undefined;
}

export const insertCommand: Command = {
  id: "insert-node",
  label: "Insert a node here",
  group: "Node",
  icon: "plus",
  keys: ["i"],
  when: (context) => onlySelectedEdge(context) !== undefined,
  run: (context) => {
    const edgeId = onlySelectedEdge(context);
    if (edgeId !== undefined) context.canvas.getState().set({ picker: { kind: "insert", edgeId } });
  },
};
