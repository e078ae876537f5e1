import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodeSlugs } from "../../engine/document/slug.ts";
import { readDocument } from "../../engine/document/read-document.ts";
import { newDocument } from "../../engine/document/new-document.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { pathAt } from "../../engine/template/path-at.ts";
import { compileTemplate, resolveTemplate, wholeAiCall } from "../../engine/template/resolve-template.ts";

import { recordScope } from "../../engine/template/scope.ts";
import { createDocumentStore, type DocumentStore } from "../document/document-store.ts";
import { insertPart } from "./insert-part.ts";
import { renameReferences } from "./rename-references.ts";

const known = [
  "查询",
  "Заказ",
  "🔥",
  "",
  "  ",
  "Same",
  "Same",
  "same 2",
  "Größe",
  "JSON",
  "Node",
  "node 2",
  "ＡＰＩ 查询",
];
const titles = fc.array(
  fc.oneof(fc.constantFrom(...known), fc.string({ unit: "grapheme", maxLength: 8 }), fc.string({ unit: "binary" })),
  { minLength: 1, maxLength: 8 },
);

const note = (title: string, id: string, config = {}) => ({
  id,
  type: "sticky-note",
  version: 1,
  title,
  position: { x: 0, y: 0 },
  config,
});

/** A workflow in which one node was added after another, each with an expression that reads the one it was added after. */
function built(names: readonly string[]): DocumentStore {
  const store = createDocumentStore(newDocument("w", "Names"), 0);
  for (const [index, title] of names.entries()) {
    const before = nodeSlugs(store.getState().document).get(`n${index - 1}`);
    const path = before === undefined ? "'none'" : pathAt("nodes", {}, [before, "id"]);
    const text = `{{${path}}}`;
    const asked = before === undefined || path.includes("[") ? "{{true}}" : `{{has(${path})}}`;
    const otherwise = `{{ai("a", "b", "string", ${JSON.stringify(text)})}}`;
    store.getState().edit("Add", (document) => {
      document.nodes[`n${index}`] = note(title, `n${index}`, { text, asked, otherwise });
    });
  }
  return store;
}

/** What the expression of a node reads: the id of a node. */
function readBy(document: WorkflowDocument, id: string): unknown {
  const outputs = Object.fromEntries([...nodeSlugs(document)].map(([node, name]) => [name, { id: node }]));
  const { text, asked = "{{true}}", otherwise } = document.nodes[id]?.config ?? {};
  const valueOf = (template: unknown) =>
    resolveTemplate(compileTemplate(String(template)), recordScope({ ...outputs, nodes: outputs }), { place: "value" });
  expect(valueOf(asked)).toBe(true);
  if (otherwise !== undefined) expect(valueOf(wholeAiCall(String(otherwise))?.default)).toBe(valueOf(text));
  return valueOf(text);
}

function inOrder(document: WorkflowDocument, order: readonly number[]): WorkflowDocument {
  const ids = Object.keys(document.nodes).toSorted(
    (a, b) => (order[Number(a.slice(1))] ?? 0) - (order[Number(b.slice(1))] ?? 0),
  );
  const nodes = Object.fromEntries(ids.flatMap((id) => (document.nodes[id] ? [[id, document.nodes[id]]] : [])));
  return { ...document, nodes };
}

function stored(document: WorkflowDocument): WorkflowDocument {
  const read = readDocument(JSON.parse(JSON.stringify(document)));
  if (!read.ok) throw new Error(read.problems.join(" "));
  return read.document;
}

const order = fc.array(fc.integer(), { minLength: 8, maxLength: 8 });

describe("what expressions call nodes", () => {
  it("stays the same whatever the titles and the order of nodes", () => {
    fc.assert(
      fc.property(titles, order, (names, places) => {
        const { document } = built(names).getState();
        const moved = stored(inOrder(document, places));
        for (let index = 1; index < names.length; index += 1) expect(readBy(moved, `n${index}`)).toBe(`n${index - 1}`);
      }),
    );
  });

  it("follows new titles in every expression, as one step that can be undone", () => {
    fc.assert(
      fc.property(titles, order, fc.string({ unit: "grapheme", maxLength: 8 }), (names, places, title) => {
        const store = built(names);
        const { document, edit, undo } = store.getState();
        edit("Rename node", (draft) => renameReferences(draft, "n0", title));
        const moved = stored(inOrder(store.getState().document, places));
        for (let index = 1; index < names.length; index += 1) expect(readBy(moved, `n${index}`)).toBe(`n${index - 1}`);
        if (store.getState().document !== document) undo();
        expect(store.getState().document).toEqual(document);
      }),
    );
  });

  it("is read of the copies where nodes are copied together", () => {
    fc.assert(
      fc.property(titles, (names) => {
        const store = built(names);
        const part = store.getState().document;
        let count = 0;
        store.getState().edit("Paste", (document) => {
          insertPart(document, part, { offset: 1 }, () => `n${names.length + count++}`);
        });
        const { document } = store.getState();
        for (let index = 1; index < names.length; index += 1) {
          expect(readBy(document, `n${index}`)).toBe(`n${index - 1}`);
          expect(readBy(document, `n${names.length + index}`)).toBe(`n${names.length + index - 1}`);
        }
      }),
    );
  });

  it("keeps its meaning in documents from before names were kept", () => {
    const nodes = [note("查询", "a"), note("Same", "b"), note("订单", "c"), note("Same", "d")];
    const text = "{{nodes.node_2.id}} {{node.id}} {{nodes.same_2.id}}";
    const read = stored({ ...newDocument("w", "Old"), nodes: [...nodes, note("Reader", "e", { text })] } as never);
    expect(readBy(stored(inOrder(read, [])), "e")).toBe("c a d");
    expect([
      ...nodeSlugs({ nodes: { e: read.nodes.e!, d: read.nodes.d!, c: read.nodes.c!, a: read.nodes.a! } }),
    ]).toEqual([
      ["e", "reader"],
      ["d", "same_2"],
      ["c", "node_2"],
      ["a", "node"],
    ]);
  });

  it("reads a node by its title, also where no name was kept", () => {
    const text = '{{nodes["查询"].id}} {{nodes["Заказ"].id}} {{nodes[?"🔥"].?id.orValue("")}} {{"查询" in nodes}}';
    const nodes = { r: note("Reader", "r", { text }), c: note("🔥", "c"), b: note("Заказ", "b"), a: note("查询", "a") };
    expect(readBy({ ...newDocument("w", "By hand"), nodes }, "r")).toBe("a b c true");
  });

  it.each([
    ["nodes.fetch.x", 'nodes["取得"].x'],
    ["fetch.x + json.fetch", 'nodes["取得"].x + json.fetch'],
    ["nodes.?fetch.?x", 'nodes[?"取得"].?x'],
    ["nodes['Fetch'].x", "nodes['取得'].x"],
    ['nodes[?"fetch"]', 'nodes[?"取得"]'],
    ["'fetch' in nodes && json.fetch == 'fetch'", "'取得' in nodes && json.fetch == 'fetch'"],
    ["json.list.map(fetch, fetch.x)", "json.list.map(fetch, fetch.x)"],
    ["fetch(1)", "fetch(1)"],
    [
      'ai("fetch", "fetch it", "string", "{{nodes.fetch.x}}")',
      'ai("fetch", "fetch it", "string", "{{nodes[\'取得\'].x}}")',
    ],
    ["nodes . fetch", 'nodes  ["取得"]'],
    ["json.nodes.fetch", "json.nodes.fetch"],
    ["json.?nodes.fetch", "json.?nodes.fetch"],
    ["json.?nodes['fetch']", "json.?nodes['fetch']"],
    ["'fetch' in nodes.b", "'fetch' in nodes.b"],
    ["json.a ? nodes.fetch : 1", 'json.a ? nodes["取得"] : 1'],
    ["has(nodes.fetch.x)", 'nodes["取得"].?x.hasValue()'],
    ["!has(fetch.x.y) && true", '!nodes["取得"].x.?y.hasValue() && true'],
    ["has(nodes.fetch)", 'nodes[?"取得"].hasValue()'],
    ["has(nodes.?fetch.x)", 'nodes[?"取得"].?x.hasValue()'],
    ["has(json.fetch) && has(nodes.b.x)", "has(json.fetch) && has(nodes.b.x)"],
    ['nodes["\\u0066etch"].x', 'nodes["取得"].x'],
    ["r'{{fetch.x}}'", `'{{nodes["取得"].x}}'`],
    [
      'ai("a", "b", "string", "{{nodes[\\"fetch\\"].x}} \\\\ {{fetch}}")',
      `ai("a", "b", "string", "{{nodes[\\"取得\\"].x}} \\\\ {{nodes['取得']}}")`,
    ],
    [
      `ai("a", "b", "string", "{{ai('c', 'd', 'string', '{{fetch.x}}')}}")`,
      `ai("a", "b", "string", "{{ai('c', 'd', 'string', '{{nodes[\\"取得\\"].x}}')}}")`,
    ],
  ])("renames in %s", (before, after) => {
    const document = newDocument("w", "Rename");
    document.nodes = {
      a: note("Fetch", "a"),
      b: note("B", "b", { deep: [{ text: `fetch {{${before}}} fetch` }], text: `{{ ${before} }}` }),
    };
    renameReferences(document, "a", "取得");
    expect(document.nodes.b?.config).toEqual({
      deep: [{ text: `fetch {{${after}}} fetch` }],
      text: `{{ ${after} }}`,
    });
  });
});
