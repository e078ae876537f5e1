import { isJsonObject, type Json } from "../json.ts";

/** A place on the canvas, in pixels. */
export interface Place {
  x: number;
  y: number;
}

/**
 * The ids of the nodes for which a workflow has no place, before `readDocument` gives them one. Where all stand at the same place,
 * which says nothing, that is none.
 */
export function unplacedNodes(workflow: unknown): string[] {
  const nodes = isJsonObject(workflow) ? workflow.nodes : undefined;
  const entries = Array.isArray(nodes) ? nodes.map(idAndNode) : isJsonObject(nodes) ? Object.entries(nodes) : [];
  const known = entries.map(([id, node]) => ({ id, place: isJsonObject(node) ? placeIn(node.position) : undefined }));
  const isPiled = isPile(known.flatMap(({ place }) => place ?? []));
  return known.flatMap(({ id, place }) => (place === undefined || isPiled ? [id] : []));
}

/** Whether several nodes all stand at one place. */
export function isPile(places: readonly Place[]): boolean {
  const [first] = places;
  return first !== undefined && places.length > 1 && places.every(({ x, y }) => x === first.x && y === first.y);
}

function idAndNode(node: Json): [string, Json] {
  return [isJsonObject(node) && typeof node.id === "string" ? node.id : "", node];
}

function placeIn(value: Json | undefined): Place | undefined {
  const { x, y } = isJsonObject(value) ? value : {};
  return typeof x === "number" && typeof y === "number" ? { x, y } : undefined;
}
