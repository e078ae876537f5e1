import { expect, it } from "vitest";
import { diffDocuments } from "../../engine/document/diff-documents.ts";
import { newDocument, newNode } from "../../engine/document/new-document.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { JsonObject } from "../../engine/json.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { countDiff, describeDiff } from "./describe-diff.ts";
import { diffSketch } from "./diff-sketch.ts";

function workflow(name: string, nodes: Record<string, [type: string, config?: JsonObject, x?: number]>) {
  const document: WorkflowDocument = newDocument("w", name);
  for (const [id, [type, config, x = 0]] of Object.entries(nodes)) {
    const definition = nodeRegistry[type];
    if (!definition) throw new Error(`There is no ${type}.`);
    document.nodes[id] = newNode(definition, { id, position: { x, y: 0 }, config });
  }
  return document;
}

function described(before: WorkflowDocument, after: WorkflowDocument) {
  const diff = diffDocuments(before, after);
  return describeDiff(diff, { before, after, registry: nodeRegistry });
}

it("names nodes and fields as the forms do, and shows the values from where they differ", () => {
  const long = "The same beginning of a long prompt. ".repeat(10);
  const before = workflow("A", { agent: ["ai-agent", { systemPrompt: `${long}Be brief.`, maxIterations: 5 }] });
  const after = workflow("B", { agent: ["ai-agent", { systemPrompt: `${long}Be kind.`, maxIterations: 9 }] });
  const [whole, agent] = described(before, after);
  expect(whole).toMatchObject({ title: "The workflow", changes: [{ label: "Name", before: "A", after: "B" }] });
  expect(agent).toMatchObject({ title: "AI agent", mark: "changed" });
  const [prompt, limit] = agent?.changes ?? [];
  expect(prompt).toMatchObject({ label: "System prompt" });
  expect(prompt?.before).toMatch(/^….*Be brief\.$/);
  expect(prompt?.after).toMatch(/^….*Be kind\.$/);
  expect(limit).toEqual({ label: "Iteration limit", before: "5", after: "9" });
});

it("says what callers may fill in, without the hashes of the tools", () => {
  const before = workflow("A", { tool: ["code-tool"] });
  const after = workflow("A", { tool: ["code-tool"] });
  const { tool } = after.nodes;
  if (tool) tool.callers = { book: { definition: "d1", arguments: ["day", "email"] } };
  const label = "What callers may fill in";
  expect(described(before, after)[0]?.changes).toEqual([{ label, after: "book: day, email" }]);
  expect(described(after, before)[0]?.changes).toEqual([{ label, before: "book: day, email" }]);
});

it("S35 never shows the id of a credential", () => {
  const before = workflow("A", {
    m: ["openai-model", { credential: "of-ann" }],
    n: ["openai-model", { credential: "" }],
  });
  const after = workflow("A", {
    m: ["openai-model", { credential: "of-bob" }],
    n: ["openai-model", { credential: "x1" }],
  });
  const text = JSON.stringify(described(before, after));
  expect(text).toContain("another one");
  for (const id of ["of-ann", "of-bob", "x1"]) expect(text).not.toContain(id);
});

it("lists added, removed, changed, moved nodes and connections in this order, and counts them", () => {
  const before = workflow("A", { gone: ["demo-model"], edited: ["if", { condition: "a" }], moved: ["code"] });
  const after = workflow("A", { fresh: ["merge"], edited: ["if", { condition: "b" }], moved: ["code", {}, 300] });
  const ends = { from: { node: "edited", port: "true" }, to: { node: "moved", port: "main" } };
  after.edges["e"] = { id: "e", ...ends };
  const entries = described(before, after);
  expect(entries.map(({ mark, title }) => `${mark} ${title}`)).toEqual([
    "added Merge",
    "removed Demo model",
    "changed If",
    "moved Code",
    "added Connection",
  ]);
  expect(entries.at(-1)?.changes).toEqual([{ label: "If → Code (main)" }]);
  expect(countDiff(diffDocuments(before, after))).toBe(
    "1 node added, 1 node removed, 1 node changed, 1 node moved, 1 connection changed",
  );
  expect(countDiff(diffDocuments(before, before))).toBe("");
});

it("draws both versions in one picture, what was lost included", () => {
  const before = workflow("A", {
    a: ["chat-trigger"],
    gone: ["ai-agent"],
    note: ["sticky-note", { width: 300, height: 90 }],
  });
  before.edges["e"] = { id: "e", from: { node: "a", port: "main" }, to: { node: "gone", port: "main" } };
  const after = workflow("A", { a: ["chat-trigger"], note: ["sticky-note", { width: 300, height: 90 }] });
  const diff = diffDocuments(before, after);
  const sketch = diffSketch(diff, { before, after, registry: nodeRegistry });
  expect(sketch.nodes).toMatchObject([
    { id: "gone", mark: "removed", role: "agent", icon: "bot" },
    { id: "a", role: "main" },
    { id: "note", role: "note", size: { width: 300, height: 90 } },
  ]);
  expect(sketch.nodes[1]?.mark).toBeUndefined();
  expect(sketch.edges).toMatchObject([{ from: "a", to: "gone", kind: "main", mark: "removed" }]);
});
