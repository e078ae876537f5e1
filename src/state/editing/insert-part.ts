import { keepReferences, nodeSlugs, setReference } from "../../engine/document/slug.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Point } from "../editor/canvas-store.ts";
import { isGroup } from "./group-members.ts";
import type { Part } from "./node-clip.ts";
import { grid } from "./node-geometry.ts";
import { snap } from "./place-node.ts";
import { renameInNodes } from "./rename-references.ts";
import { uniqueTitle } from "./unique-title.ts";

function corner(part: Part): Point {
  const positions = Object.values(part.nodes).map((node) => node.position);
  return { x: Math.min(...positions.map(({ x }) => x)), y: Math.min(...positions.map(({ y }) => y)) };
}

/**
 * Puts a part into a document with fresh ids, free titles and free names; what its expressions read of nodes that came along,
 * they read of the copies. Edits in place; returns the new nodes' ids by those in the part.
 */
export function insertPart(
  document: WorkflowDocument,
  part: Part,
  place: { at: Point } | { offset: number },
  newId: () => string,
): Map<string, string> {
  const ids = new Map(Object.keys(part.nodes).map((id) => [id, newId()]));
  const before = { nodes: { ...document.nodes } };
  const names = nodeSlugs(part);
  const from = corner(part);
  const shift =
    "at" in place
      ? { x: place.at.x - from.x, y: place.at.y - from.y }
      : { x: place.offset * grid, y: place.offset * grid };
  for (const node of Object.values(part.nodes)) {
    const id = ids.get(node.id);
    if (id === undefined) continue;
    const position = snap({ x: node.position.x + shift.x, y: node.position.y + shift.y });
    const copy = { ...structuredClone(node), id, position, title: uniqueTitle(document, node.title) };
    const { members } = copy.config;
    if (isGroup(copy) && Array.isArray(members)) {
      copy.config = { ...copy.config, members: members.flatMap((member) => ids.get(String(member)) ?? []) };
    }
    const name = names.get(node.id);
    setReference(copy, copy.title === node.title ? name : undefined);
    document.nodes[id] = copy;
  }
  keepReferences(document, before);
  const inserted = nodeSlugs(document);
  const renamed = [...ids].flatMap(([id, copy]) => {
    const pair = [names.get(id), inserted.get(copy)] as const;
    return pair[0] === undefined || pair[1] === undefined ? [] : [[pair[0], pair[1]] as const];
  });
  renameInNodes(
    [...ids.values()].flatMap((id) => document.nodes[id] ?? []),
    new Map(renamed),
  );
  for (const edge of Object.values(part.edges)) {
    const source = ids.get(edge.from.node);
    const target = ids.get(edge.to.node);
    if (source === undefined || target === undefined) continue;
    const id = newId();
    document.edges[id] = { id, from: { ...edge.from, node: source }, to: { ...edge.to, node: target } };
  }
  return ids;
}
