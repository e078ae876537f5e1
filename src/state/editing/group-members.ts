import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { group as groupNode } from "../../nodes/flow/group.ts";
import { contains, middleOf, nodeBox } from "./node-box.ts";

type Nodes = WorkflowDocument["nodes"];

export function isGroup(node: NodeRecord | undefined): boolean {
  return node?.type === groupNode.type;
}

export function isFolded(node: NodeRecord | undefined): boolean {
  return node !== undefined && isGroup(node) && node.config["folded"] === true;
}

/** The ids that a folded group wrote down, without those that are gone. */
function written(nodes: Nodes, group: NodeRecord): string[] {
  const { members } = group.config;
  if (!Array.isArray(members)) return [];
  return members.flatMap((id) => (typeof id === "string" && Object.hasOwn(nodes, id) && id !== group.id ? [id] : []));
}

/**
 * The nodes that belong to a group: of a folded one those that it wrote down, of an open one the shown nodes whose
 * middle lies in its frame. A group inside brings its own along.
 */
export function groupMembers(nodes: Nodes, registry: NodeRegistry, group: NodeRecord): string[] {
  const found = new Set<string>();
  const take = (from: NodeRecord): void => {
    for (const id of directMembers(nodes, registry, from)) {
      const member = nodes[id];
      if (member === undefined || found.has(id) || id === group.id) continue;
      found.add(id);
      if (isFolded(member)) take(member);
    }
  };
  take(group);
  return [...found];
}

function directMembers(nodes: Nodes, registry: NodeRegistry, group: NodeRecord): string[] {
  if (isFolded(group)) return written(nodes, group);
  const frame = nodeBox(registry, group);
  const hidden = hiddenNodes(nodes);
  return Object.values(nodes).flatMap((node) => {
    if (node.id === group.id || hidden.has(node.id)) return [];
    const box = nodeBox(registry, node);
    // Of two frames over each other the smaller one lies in the larger one.
    if (isGroup(node) && box.width * box.height >= frame.width * frame.height) return [];
    return contains(frame, middleOf(box)) ? [node.id] : [];
  });
}

const hiddenOf = new WeakMap<Nodes, ReadonlyMap<string, string>>();

/** The nodes that folded groups hide, each with the folded group that is shown in its place. */
export function hiddenNodes(nodes: Nodes): ReadonlyMap<string, string> {
  const known = hiddenOf.get(nodes);
  if (known !== undefined) return known;
  const folded = Object.values(nodes).filter(isFolded);
  const owner = new Map<string, string>();
  for (const group of folded) for (const id of written(nodes, group)) if (!owner.has(id)) owner.set(id, group.id);
  const shownFor = (id: string): string => {
    const seen = new Set([id]);
    let at = id;
    for (let next = owner.get(at); next !== undefined && !seen.has(next); next = owner.get(at)) {
      seen.add(next);
      at = next;
    }
    return at;
  };
  const hidden = new Map<string, string>();
  for (const id of owner.keys()) {
    const shown = shownFor(id);
    if (shown !== id) hidden.set(id, shown);
  }
  hiddenOf.set(nodes, hidden);
  return hidden;
}

/** Those of these nodes that no folded group hides. */
export function shownAmong(nodes: Nodes, ids: readonly string[]): string[] {
  const hidden = hiddenNodes(nodes);
  return ids.filter((id) => !hidden.has(id));
}

/** These nodes and, of the groups among them, all that belongs to those. */
export function withMembers(nodes: Nodes, registry: NodeRegistry, ids: readonly string[]): string[] {
  const all = new Set(ids);
  for (const id of ids) {
    const node = nodes[id];
    if (node !== undefined && isGroup(node)) for (const member of groupMembers(nodes, registry, node)) all.add(member);
  }
  return [...all];
}
