import { describeFields } from "../../engine/config/describe-fields.ts";
import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { DocumentDiff, NodeDiff, ValueChange } from "../../engine/document/diff-documents.ts";
import type { EdgeRecord, NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json } from "../../engine/json.ts";
import type { SketchMark } from "../../ui/graph/sketch.ts";
import { type ChangeText, changeText, type DiffEntry } from "../../ui/data/diff-entry.ts";

const nodeWords: Readonly<Record<string, string>> = {
  title: "Title",
  reference: "Name in expressions",
  type: "Type",
  version: "Version of the type",
  disabled: "Turned off",
  stops: "Stops what follows",
  notes: "Notes",
  pin: "Pinned output",
  unreviewed: "Waits for review",
};
const documentWords: Readonly<Record<string, string>> = {
  name: "Name",
  description: "Description",
  vars: "Variable",
  privacy: "Privacy",
};

function nodeChange(registry: NodeRegistry, node: NodeRecord, change: ValueChange): ChangeText {
  const [root = "", ...rest] = change.path;
  if (root !== "config") {
    const label = [nodeWords[root] ?? root, ...rest].join(" › ");
    return changeText(label, change.before, change.after);
  }
  const definition = definitionOf(registry, node.type);
  const [name = "", ...inner] = rest;
  const field = definition && describeFields(definition.config).find((each) => each.name === name);
  const label = [field?.label ?? name, ...inner].join(" › ");
  if (field?.control !== "credential") return changeText(label, change.before, change.after);
  // An id says nothing to a person.
  const chosen = (value: Json | undefined) => (value === undefined || value === "" ? "none" : "one");
  const both = chosen(change.before) === "one" && chosen(change.after) === "one";
  return { label, before: chosen(change.before), after: both ? "another one" : chosen(change.after) };
}

function nodeEntry(registry: NodeRegistry, id: string, diff: NodeDiff): DiffEntry {
  const { kind, node } = diff;
  const entry = { id, title: node.title, mark: kind, changes: [] };
  if (kind === "added" || kind === "removed") {
    return { ...entry, note: definitionOf(registry, node.type)?.title ?? node.type };
  }
  if (kind === "moved") return { ...entry, note: "Only its place" };
  const changes = diff.changes
    .filter(({ path: [root] }) => root !== "callers")
    .map((change) => nodeChange(registry, node, change));
  const filled = [callersText(diff.before), callersText(node)] as const;
  if (filled[0] !== filled[1]) changes.push(changeText("What callers may fill in", ...filled));
  return { ...entry, changes, ...(diff.moved ? { note: "Also moved" } : {}) };
}

/** Without the hashes of the tools, which say nothing to a person. */
function callersText({ callers }: NodeRecord): string | undefined {
  if (callers === undefined) return undefined;
  return Object.entries(callers)
    .map(([tool, { arguments: names }]) => `${tool}: ${names.join(", ")}`)
    .join("; ");
}

function edgeWords({ from, to }: EdgeRecord, document: WorkflowDocument): string {
  const title = (id: string) => document.nodes[id]?.title ?? id;
  return `${title(from.node)} → ${title(to.node)} (${to.port})`;
}

const order: Record<SketchMark, number> = { added: 0, removed: 1, changed: 2, moved: 3 };

/** A comparison as a list to read: the workflow, then added, removed, changed and moved nodes, then the connections. */
export function describeDiff(
  diff: DocumentDiff,
  { before, after, registry }: { before: WorkflowDocument; after: WorkflowDocument; registry: NodeRegistry },
): DiffEntry[] {
  const entries: DiffEntry[] = [];
  if (diff.document.length > 0) {
    const changes = diff.document.map(({ path: [root = "", ...rest], ...values }) =>
      changeText([documentWords[root] ?? root, ...rest].join(" › "), values.before, values.after),
    );
    entries.push({ id: "workflow", title: "The workflow", mark: "changed", changes });
  }
  const nodes = Object.entries(diff.nodes).map(([id, each]) => nodeEntry(registry, id, each));
  entries.push(...nodes.toSorted((a, b) => order[a.mark] - order[b.mark]));
  for (const [mark, edges, document] of [
    ["added", diff.edges.added, after],
    ["removed", diff.edges.removed, before],
  ] as const) {
    if (edges.length === 0) continue;
    const changes = edges.map((edge) => ({ label: edgeWords(edge, document) }));
    entries.push({ id: `${mark} edges`, title: edges.length === 1 ? "Connection" : "Connections", mark, changes });
  }
  return entries;
}

/** A comparison in one line, such as "2 added, 1 changed"; empty when nothing differs. */
export function countDiff({ nodes, edges, document }: DocumentDiff): string {
  const kinds = Object.values(nodes).map(({ kind }) => kind);
  const counts = (["added", "removed", "changed", "moved"] as const).map((mark) => {
    const number = kinds.filter((kind) => kind === mark).length;
    return number === 0 ? "" : `${number} ${number === 1 ? "node" : "nodes"} ${mark}`;
  });
  const wires = edges.added.length + edges.removed.length;
  return [
    ...counts,
    wires === 0 ? "" : `${wires} ${wires === 1 ? "connection" : "connections"} changed`,
    document.length === 0 ? "" : "settings changed",
  ]
    .filter(Boolean)
    .join(", ");
}

/** How many nodes, connections and settings differ; a node that only moved runs as before. */
export function countChanges({ nodes, edges, document }: DocumentDiff): number {
  const changed = Object.values(nodes).filter(({ kind }) => kind !== "moved").length;
  return changed + edges.added.length + edges.removed.length + document.length;
}
