import { definitionOf } from "../../engine/document/can-connect.ts";
import { newNode } from "../../engine/document/new-document.ts";
import type { Point } from "../editor/canvas-store.ts";
import { makeRoom, placeOnEdge, splitEdge } from "../editing/insert-on-edge.ts";
import { middleOf, nodeBox, nodeSize } from "../editing/node-box.ts";
import { snap } from "../editing/place-node.ts";
import { uniqueTitle } from "../editing/unique-title.ts";
import type { NodeStart } from "./add-node.ts";
import type { CommandContext } from "./command.ts";
import { putBetween } from "./insert-existing.ts";

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
