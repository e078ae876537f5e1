import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Point } from "../editor/canvas-store.ts";
import { edgesOf } from "../editing/edge-index.ts";
import { makeRoom, placeOnEdge, splitEdge } from "../editing/insert-on-edge.ts";
import { nodeSize } from "../editing/node-box.ts";
import { snap } from "../editing/place-node.ts";
import type { CommandContext } from "./command.ts";

type Split = NonNullable<ReturnType<typeof splitEdge>>;

/** Puts the node where it stands, between the ends of the edge. Edits in place. */
export function putBetween(
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
