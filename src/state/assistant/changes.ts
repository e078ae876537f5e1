import { diffDocuments } from "../../engine/document/diff-documents.ts";
import { canConnect, definitionOf, portOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { EdgeRecord, NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json } from "../../engine/json.ts";

/**
 * One difference between a workflow and what is proposed. `id` is the same each time; `needs` are the ids of those that have to be
 * accepted with it.
 */
export type Change = { id: string; needs?: readonly string[] } & (
  | { kind: "add"; node: NodeRecord }
  | { kind: "remove"; node: NodeRecord }
  | { kind: "replace"; before: NodeRecord; node: NodeRecord }
  | { kind: "rename"; nodeId: string; before: string; after: string }
  | { kind: "set"; nodeId: string; field: string; before: Json | undefined; after: Json | undefined }
  | { kind: "connect"; edge: EdgeRecord }
  | { kind: "disconnect"; edge: EdgeRecord }
);

/** All differences, nodes first. Places of nodes do not count. */
export function listChanges(base: WorkflowDocument, draft: WorkflowDocument, registry: NodeRegistry): Change[] {
  const { nodes, edges } = diffDocuments(base, draft);
  const changes: Change[] = [];
  for (const [nodeId, diff] of Object.entries(nodes)) {
    if (diff.kind === "added") changes.push({ id: `add ${nodeId}`, kind: "add", node: diff.node });
    else if (diff.kind === "removed") changes.push({ id: `remove ${nodeId}`, kind: "remove", node: diff.node });
    else if (diff.kind === "changed" && diff.before.type !== diff.node.type)
      changes.push({ id: `replace ${nodeId}`, kind: "replace", before: diff.before, node: diff.node });
    else if (diff.kind === "changed") changes.push(...nodeChanges(diff.before, diff.node));
  }
  for (const edge of edges.added) changes.push({ id: `connect ${edgeName(edge)}`, kind: "connect", edge });
  for (const edge of edges.removed) changes.push({ id: `disconnect ${edgeName(edge)}`, kind: "disconnect", edge });
  return changes.map((change) => {
    const needs = needsOf(change, changes, { draft, registry });
    return needs.length > 0 ? { ...change, needs } : change;
  });
}

const edgeName = ({ from, to }: EdgeRecord) => `${from.node}.${from.port}>${to.node}.${to.port}`;

/** A wire needs the nodes at its ends, and room at its port; a node that goes takes its wires along. */
function needsOf(
  change: Change,
  all: readonly Change[],
  { draft, registry }: { draft: WorkflowDocument; registry: NodeRegistry },
): string[] {
  return all.flatMap((other) => {
    const isNeeded =
      change.kind === "connect"
        ? (other.kind === "add" && ends(change.edge).includes(other.node.id)) ||
          (other.kind === "replace" && ends(change.edge).includes(other.node.id)) ||
          (other.kind === "disconnect" && sharesPort(other.edge, change.edge) && takesOne(change.edge, draft, registry))
        : (change.kind === "remove" || change.kind === "replace") &&
          other.kind === "disconnect" &&
          ends(other.edge).includes(change.node.id);
    return isNeeded ? [other.id] : [];
  });
}

function takesOne({ to }: EdgeRecord, draft: WorkflowDocument, registry: NodeRegistry): boolean {
  const definition = definitionOf(registry, draft.nodes[to.node]?.type ?? "");
  return definition !== undefined && portOf(definition.inputs, to.port)?.max === 1;
}

function nodeChanges(before: NodeRecord, node: NodeRecord): Change[] {
  const nodeId = node.id;
  const changes: Change[] = [];
  if (before.title !== node.title)
    changes.push({ id: `rename ${nodeId}`, kind: "rename", nodeId, before: before.title, after: node.title });
  for (const field of new Set([...Object.keys(before.config), ...Object.keys(node.config)])) {
    const [old, after] = [before.config[field], node.config[field]];
    if (!isSame(old, after))
      changes.push({ id: `set ${nodeId} ${field}`, kind: "set", nodeId, field, before: old, after });
  }
  return changes;
}

const isSame = (a: Json | undefined, b: Json | undefined) => JSON.stringify(a) === JSON.stringify(b);

/** Nodes that an edge joins. */
const ends = ({ from, to }: EdgeRecord) => [from.node, to.node];

/** The changes that have to go along when some are accepted. */
export function withNeeded(all: readonly Change[], chosen: ReadonlySet<string>): Set<string> {
  const needed = new Set(chosen);
  // A set that grows is gone through to its new end.
  for (const id of needed) for (const need of all.find((change) => change.id === id)?.needs ?? []) needed.add(need);
  return needed;
}

const sharesPort = (a: EdgeRecord, b: EdgeRecord) => a.to.node === b.to.node && a.to.port === b.to.port;

/** The changes that cannot stay when some are rejected: those that need one of them. */
export function withDependent(all: readonly Change[], rejected: ReadonlySet<string>): Set<string> {
  const gone = new Set(rejected);
  for (const change of all)
    if ([...withNeeded(all, new Set([change.id]))].some((id) => rejected.has(id))) gone.add(change.id);
  return gone;
}

/** The workflow with the changes, or those that do not fit it any more, since it was changed meanwhile. */
export type AppliedChanges = { ok: true; document: WorkflowDocument } | { ok: false; stale: Change[] };

/**
 * Makes changes to the workflow as it is now. Each fits only where what it changes is as it was; then all are made, else none.
 * Does not change its argument.
 */
export function applyChanges(
  current: WorkflowDocument,
  changes: readonly Change[],
  registry: NodeRegistry,
): AppliedChanges {
  const document = structuredClone(current);
  const stale: Change[] = [];
  const order = ["add", "replace", "rename", "set", "disconnect", "connect", "remove"];
  for (const change of changes.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)))
    if (!applyChange(document, change, registry)) stale.push(change);
  return stale.length > 0 ? { ok: false, stale } : { ok: true, document };
}

function applyChange(document: WorkflowDocument, change: Change, registry: NodeRegistry): boolean {
  switch (change.kind) {
    case "add":
      if (document.nodes[change.node.id] !== undefined) return false;
      document.nodes[change.node.id] = structuredClone(change.node);
      return true;
    case "remove": {
      const node = document.nodes[change.node.id];
      if (node === undefined || !isSame(node.config, change.node.config)) return false;
      delete document.nodes[change.node.id];
      for (const edge of Object.values(document.edges))
        if (ends(edge).includes(change.node.id)) delete document.edges[edge.id];
      return true;
    }
    case "replace": {
      const node = document.nodes[change.before.id];
      if (node?.type !== change.before.type || !isSame(node.config, change.before.config)) return false;
      document.nodes[change.node.id] = { ...structuredClone(change.node), position: node.position };
      return true;
    }
    case "rename": {
      const node = document.nodes[change.nodeId];
      if (node?.title !== change.before) return false;
      node.title = change.after;
      return true;
    }
    case "set": {
      const node = document.nodes[change.nodeId];
      if (node === undefined || !isSame(node.config[change.field], change.before)) return false;
      if (change.after === undefined) delete node.config[change.field];
      else node.config[change.field] = structuredClone(change.after);
      return true;
    }
    case "disconnect": {
      const found = Object.values(document.edges).find((edge) => sameEnds(edge, change.edge));
      if (found === undefined) return false;
      delete document.edges[found.id];
      return true;
    }
    case "connect": {
      const { edge } = change;
      if (!canConnect(document, registry, edge.from, edge.to).ok) return false;
      document.edges[edge.id] = structuredClone(edge);
      return true;
    }
  }
}

const sameEnds = (a: EdgeRecord, b: EdgeRecord) =>
  a.from.node === b.from.node && a.from.port === b.from.port && a.to.node === b.to.node && a.to.port === b.to.port;
