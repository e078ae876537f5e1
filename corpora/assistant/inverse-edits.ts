import { nodeSlugs } from "../../src/engine/document/slug.ts";
import type { EdgeRecord, WorkflowDocument } from "../../src/engine/document/workflow-document.ts";
import type { JsonObject } from "../../src/engine/json.ts";
import { nodeRegistry } from "../../src/nodes/index.ts";
import { canonicalJson } from "../../src/engine/canonical-json.ts";
import { listChanges } from "../../src/state/assistant/changes.ts";
import { compactGraph, wireText } from "../../src/state/assistant/compact-graph.ts";

/** The edits, as a model writes them, that make `wanted` of a workflow. */
export function editsTowards(document: WorkflowDocument, wanted: WorkflowDocument): JsonObject[] {
  const [slugs, later] = [nodeSlugs(document), nodeSlugs(wanted)];
  const slugOf = (id: string) => slugs.get(id) ?? later.get(id) ?? id;
  const wire = ({ from, to }: EdgeRecord) =>
    wireText({ slug: slugOf(from.node), port: from.port }, { slug: slugOf(to.node), port: to.port });
  const edits = listChanges(document, wanted, nodeRegistry).map((change): JsonObject => {
    switch (change.kind) {
      case "add": {
        const { type, title, config } = change.node;
        return { op: "add", node: slugOf(change.node.id), type, title, config };
      }
      case "remove":
        return { op: "delete", node: slugOf(change.node.id) };
      case "replace":
        return { op: "replace", node: slugOf(change.node.id), type: change.node.type, config: change.node.config };
      case "rename":
        return { op: "rename", node: slugOf(change.nodeId), title: change.after };
      case "set":
        return { op: "set", node: slugOf(change.nodeId), config: { [change.field]: change.after ?? null } };
      case "connect":
        return { op: "connect", wire: wire(change.edge) };
      case "disconnect":
        return { op: "disconnect", wire: wire(change.edge) };
    }
  });
  // A new name holds for all edits after it.
  return edits.toSorted((a, b) => Number(a["op"] === "rename") - Number(b["op"] === "rename"));
}

/** Whether two workflows are the same but for ids and places. */
export function isSameGraph(a: WorkflowDocument, b: WorkflowDocument): boolean {
  const text = (document: WorkflowDocument) => {
    const { nodes, wires } = compactGraph({ ...document }, nodeRegistry, [...nodeSlugs(document).values()]);
    return canonicalJson({ nodes: JSON.parse(JSON.stringify(nodes)), wires: wires.toSorted() });
  };
  return text(a) === text(b);
}
