import { isJsonObject, type Json } from "../json.ts";
import type { EdgeRecord, NodeRecord, WorkflowDocument } from "./workflow-document.ts";

/** One value that differs: where it stands, and both values; undefined where there is none. */
export interface ValueChange {
  /** Keys from the outside in, such as `["config", "systemPrompt"]`. */
  path: readonly string[];
  before: Json | undefined;
  after: Json | undefined;
}

/** What became of a node. `moved`: nothing but its place changed. */
export type NodeDiff =
  | { kind: "added"; node: NodeRecord }
  | { kind: "removed"; node: NodeRecord }
  | { kind: "changed"; before: NodeRecord; node: NodeRecord; changes: ValueChange[]; moved: boolean }
  | { kind: "moved"; before: NodeRecord; node: NodeRecord };

/** How one document became another. Nodes that are the same are left out. */
export interface DocumentDiff {
  nodes: Readonly<Record<string, NodeDiff>>;
  edges: { added: EdgeRecord[]; removed: EdgeRecord[] };
  /** Name, variables and all that belongs to the workflow as a whole. */
  document: ValueChange[];
}

/** Keys of a node and of a document that are compared in their own way, or say nothing about its content. */
const nodeKeys: ReadonlySet<string> = new Set(["id", "position"]);
const documentKeys: ReadonlySet<string> = new Set(["schemaVersion", "id", "nodes", "edges", "importReport"]);

/** Levels of objects that are compared key by key; what lies deeper is one value. */
const deepest = 3;

/**
 * Compares two versions of a workflow. Nodes are the same when their ids are; edges when they join the same ports, so that
 * one drawn anew is no change. Config is compared key by key, lists as a whole. Never throws; linear in the documents.
 */
export function diffDocuments(before: WorkflowDocument, after: WorkflowDocument): DocumentDiff {
  const nodes: Record<string, NodeDiff> = {};
  for (const [id, node] of Object.entries(before.nodes)) {
    if (!Object.hasOwn(after.nodes, id)) nodes[id] = { kind: "removed", node };
  }
  for (const [id, node] of Object.entries(after.nodes)) {
    const earlier = Object.hasOwn(before.nodes, id) ? before.nodes[id] : undefined;
    const diff = earlier ? diffNode(earlier, node) : { kind: "added" as const, node };
    if (diff) nodes[id] = diff;
  }
  return { nodes, edges: diffEdges(before, after), document: changesOf(before, after, documentKeys) };
}

/** Whether nothing differs. */
export function isSameDocument({ nodes, edges, document }: DocumentDiff): boolean {
  return Object.keys(nodes).length + edges.added.length + edges.removed.length + document.length === 0;
}

function diffNode(before: NodeRecord, node: NodeRecord): NodeDiff | undefined {
  const moved = before.position.x !== node.position.x || before.position.y !== node.position.y;
  const changes = changesOf(before, node, nodeKeys);
  if (changes.length > 0) return { kind: "changed", before, node, changes, moved };
  return moved ? { kind: "moved", before, node } : undefined;
}

function diffEdges(before: WorkflowDocument, after: WorkflowDocument): DocumentDiff["edges"] {
  const ends = ({ from, to }: EdgeRecord) => JSON.stringify([from.node, from.port, to.node, to.port]);
  const earlier = new Set(Object.values(before.edges).map(ends));
  const later = new Set(Object.values(after.edges).map(ends));
  return {
    added: Object.values(after.edges).filter((edge) => !earlier.has(ends(edge))),
    removed: Object.values(before.edges).filter((edge) => !later.has(ends(edge))),
  };
}

function changesOf(before: object, after: object, without: ReadonlySet<string>): ValueChange[] {
  const changes: ValueChange[] = [];
  const [earlier, later] = [asJson(before), asJson(after)];
  for (const key of new Set([...Object.keys(earlier), ...Object.keys(later)])) {
    if (!without.has(key)) compare([key], earlier[key], later[key], changes);
  }
  return changes;
}

/** Documents hold nothing but JSON. */
function asJson(value: object): Record<string, Json> {
  return value as Record<string, Json>;
}

function compare(
  path: readonly string[],
  before: Json | undefined,
  after: Json | undefined,
  changes: ValueChange[],
): void {
  if (isSame(before, after)) return;
  if (!isJsonObject(before) || !isJsonObject(after) || path.length >= deepest) {
    changes.push({ path, before, after });
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    compare([...path, key], before[key], after[key], changes);
  }
}

/** Equal as JSON, whatever the order of keys: the database keeps none. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}
