import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { diffDocuments, isSameDocument } from "./diff-documents.ts";
import { newDocument } from "./new-document.ts";
import type { NodeRecord, WorkflowDocument } from "./workflow-document.ts";

const node = (id: string, config: NodeRecord["config"] = {}, x = 0): NodeRecord => ({
  id,
  type: "step",
  version: 1,
  title: id,
  position: { x, y: 0 },
  config,
});

function workflow(nodes: readonly NodeRecord[], edges: readonly [from: string, to: string, id?: string][] = []) {
  const document: WorkflowDocument = newDocument("w", "Before");
  for (const each of nodes) document.nodes[each.id] = each;
  for (const [from, to, id = `${from}-${to}`] of edges)
    document.edges[id] = { id, from: { node: from, port: "main" }, to: { node: to, port: "main" } };
  return document;
}

describe("diffDocuments", () => {
  it("tells added, removed, changed and moved nodes apart", () => {
    const before = workflow([node("gone"), node("edited", { text: "a" }), node("moved"), node("same")]);
    const after = workflow([node("edited", { text: "b" }, 40), node("moved", {}, 80), node("same"), node("new")]);
    const { nodes } = diffDocuments(before, after);
    expect(Object.fromEntries(Object.entries(nodes).map(([id, { kind }]) => [id, kind]))).toEqual({
      gone: "removed",
      edited: "changed",
      moved: "moved",
      new: "added",
    });
    expect(nodes["edited"]).toMatchObject({
      moved: true,
      changes: [{ path: ["config", "text"], before: "a", after: "b" }],
    });
  });

  it("names each value that changed, and what was set or taken away", () => {
    const before = workflow([node("a", { kept: 1, gone: true, fields: { x: 1, y: 2 }, list: [1, 2] })]);
    const after = workflow([node("a", { kept: 1, fields: { x: 1, y: 3 }, list: [1, 2, 3], fresh: null })]);
    const diff = diffDocuments(before, after).nodes["a"];
    expect(diff?.kind === "changed" && diff.changes).toEqual([
      { path: ["config", "gone"], before: true, after: undefined },
      { path: ["config", "fields", "y"], before: 2, after: 3 },
      { path: ["config", "list"], before: [1, 2], after: [1, 2, 3] },
      { path: ["config", "fresh"], before: undefined, after: null },
    ]);
  });

  it("takes an edge that was drawn anew between the same ports for the same", () => {
    const nodes = [node("a"), node("b"), node("c")];
    const diff = diffDocuments(workflow(nodes, [["a", "b", "old"]]), workflow(nodes, [["a", "b", "new"]]));
    expect(isSameDocument(diff)).toBe(true);
    const other = diffDocuments(workflow(nodes, [["a", "b"]]), workflow(nodes, [["b", "c"]]));
    expect(other.edges.added.map(({ id }) => id)).toEqual(["b-c"]);
    expect(other.edges.removed.map(({ id }) => id)).toEqual(["a-b"]);
  });

  it("says what changed about the workflow as a whole", () => {
    const after = { ...workflow([]), name: "After", vars: { limit: 3 }, description: "What it is for" };
    expect(diffDocuments({ ...workflow([]), vars: { limit: 2 } }, after).document).toEqual([
      { path: ["name"], before: "Before", after: "After" },
      { path: ["vars", "limit"], before: 2, after: 3 },
      { path: ["description"], before: undefined, after: "What it is for" },
    ]);
  });

  it("does not mind the order of keys, which the database changes", () => {
    const config = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.constantFrom(1, "x", true, null));
    fc.assert(
      fc.property(config, (values) => {
        const shuffled = Object.fromEntries(Object.entries(values).toReversed());
        expect(diffDocuments(workflow([node("a", values)]), workflow([node("a", shuffled)])).nodes).toEqual({});
      }),
    );
  });
});
