import { describe, expect, it, vi } from "vitest";
import { sampleTable } from "../../engine/testing/sample-table.ts";
import { sampleDocument } from "../../engine/testing/sample-nodes.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { withCollectionName } from "../../state/knowledge/collection-list.ts";
import { createDocumentStore } from "../../state/document/document-store.ts";
import type { CollectionSummary } from "../../services/knowledge.ts";
import { createProblemStore, problemsOf } from "../../state/document/problem-store.ts";
import { collectionProblems } from "./collection-problems.ts";

const handbook: CollectionSummary = {
  id: "handbook",
  name: "Staff handbook",
  description: "",
  embedding: null,
  dimension: null,
  chunking: { size: 800, overlap: 100 },
  language: null,
  searchMode: null,
  documents: 1,
  chunks: 1,
  createdAt: "",
  updatedAt: "",
};

function workflow(collection: string) {
  const document = sampleDocument({ docs: "knowledge-base-tool", other: "manual-trigger" }, [], nodeRegistry);
  const docs = document.nodes["docs"];
  if (!docs) throw new Error("The sample has no such node.");
  docs.config = { ...docs.config, collection, collectionName: "Handbook" };
  return { document, docs };
}

const describeCard = (collection: string, list: readonly CollectionSummary[] | undefined) =>
  nodeRegistry["knowledge-base-tool"]?.describe?.(withCollectionName(workflow(collection).docs, list).config);

describe("a node's collection", () => {
  it("goes by its present name, by the stored one only while the list is not known", () => {
    expect(describeCard("handbook", [handbook])).toBe("Staff handbook · 5");
    expect(describeCard("handbook", undefined)).toBe("Handbook · 5");
    expect(describeCard("gone", [handbook])).toBe("Deleted collection · 5");
    expect(describeCard("", [handbook])).toBe("Choose a collection");
  });

  it("is said to be deleted at the node's field, once the list is known and does not have it", () => {
    const problems = (collection: string, list: readonly CollectionSummary[] | undefined) =>
      collectionProblems(workflow(collection).document, list);
    expect(problems("gone", [handbook])).toMatchObject([
      { nodeId: "docs", field: "collection", message: expect.stringContaining('"Handbook"'), severity: "error" },
    ]);
    for (const fine of ["handbook", "", "{{json.collection}}"]) expect(problems(fine, [handbook])).toEqual([]);
    expect(problems("gone", undefined)).toEqual([]);
  });

  it("is said to be only read, where it is a table and the step would change it", () => {
    const table = { ...handbook, table: sampleTable };
    const document = sampleDocument({ add: "add-document", find: "search-documents" }, [], nodeRegistry);
    for (const node of Object.values(document.nodes)) node.config = { ...node.config, collection: "handbook" };
    expect(collectionProblems(document, [handbook])).toEqual([]);
    expect(collectionProblems(document, [table])).toMatchObject([
      { nodeId: "add", message: "The collection is a Postgres table, which is only read." },
    ]);
  });

  it("stands among the problems of the document, and a run finds it out by itself", async () => {
    const { document } = workflow("gone");
    const store = createProblemStore(createDocumentStore(document, 1), nodeRegistry);
    store.setOutside("collections", collectionProblems(document, [handbook]));
    const stop = store.start();
    const said = () => problemsOf(store.getState(), "docs").filter(({ field }) => field === "collection");
    await vi.waitFor(() => expect(said()).toHaveLength(1), 60_000);
    expect(store.checkRun({})).toEqual([]);
    expect(said()).toHaveLength(1);
    store.setOutside("collections", []);
    expect(said()).toEqual([]);
    stop();
  });
});
