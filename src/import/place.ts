import { isPile, type Place } from "../engine/document/unplaced-nodes.ts";
import { isJsonObject } from "../engine/json.ts";

/**
 * Of a node for which a file has no place. It has no numbers, so that whatever is worked out from it has none either, and the
 * finished workflow has no place for it in its JSON.
 */
const noPlace: Place = { x: Number.NaN, y: Number.NaN };

/** A place as n8n writes it, a list of two numbers, or as all others do. */
export function placeOf(value: unknown): Place {
  const [x, y] = Array.isArray(value) ? value : isJsonObject(value) ? [value.x, value.y] : [];
  return Number.isFinite(x) && Number.isFinite(y) ? { x: Number(x), y: Number(y) } : noPlace;
}

/** The nodes of a file; where all have the same place, which says nothing, without it. */
export function withoutPile<Node extends { position: Place }>(nodes: Node[]): Node[] {
  return isPile(nodes.map(({ position }) => position)) ? nodes.map((node) => ({ ...node, position: noPlace })) : nodes;
}
