import { expect, test } from "vitest";
import { nodeRegistry } from "../nodes/index.ts";
import { entryState, openCount, receivedReport } from "../engine/document/import-report.ts";
import { readDocument } from "../engine/document/read-document.ts";
import type { WorkflowDocument } from "../engine/document/workflow-document.ts";
import { publishedForm } from "../engine/publish/published-form.ts";
import { importForeign } from "./index.ts";
import { completeExport } from "./testing/n8n-export.ts";

function imported(source: unknown = completeExport): WorkflowDocument {
  const result = importForeign(JSON.stringify(source), { registry: nodeRegistry, newId: () => "new" });
  const document = result.ok ? result.workflows[0]?.document : undefined;
  if (!document) throw new Error(result.ok ? "no workflow" : result.problem);
  return document;
}

const small = (nodes: object[], connections: object = {}) => ({ name: "Small", nodes, connections });
const node = (name: string, type: string, parameters: object = {}, more: object = {}) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion: 1,
  position: [0, 0],
  parameters,
  ...more,
});

test("a report stays with the workflow through storage, and a published version is without it", () => {
  const document = imported();
  expect(document.importReport).toMatchObject({ format: "n8n" });
  expect(document.importReport?.entries.length).toBeGreaterThan(0);
  const read = readDocument(JSON.parse(JSON.stringify(document)));
  expect(read.ok && read.document.importReport).toEqual(document.importReport);
  expect(publishedForm(document).importReport).toBeUndefined();
});

test("what has to be done names a node that is there, and is settled by what becomes of it", () => {
  const document = imported(
    small([
      node("Odd one", "somethingUnheardOf", { a: 1 }),
      node("Ask", "httpRequest", { url: "https://example.com" }),
    ]),
  );
  const [entry] = document.importReport?.entries ?? [];
  if (!entry?.nodeId) throw new Error("There is no entry of a node.");
  expect(entry).toMatchObject({ about: "node", node: "Odd one", outcome: "placeholder" });
  expect(entryState(entry, document.nodes)).toBe("open");
  expect(openCount(document)).toBeGreaterThan(0);
  const there = document.nodes[entry.nodeId];
  if (!there) throw new Error("The node is missing.");
  expect(entryState(entry, { [there.id]: { ...there, type: "http-request" } })).toBe("replaced");
  expect(entryState(entry, {})).toBe("removed");
  expect(entryState({ ...entry, done: true }, document.nodes)).toBe("done");
});

test("a missing credential is looked for where it is chosen: at the model that an agent uses", () => {
  const document = imported();
  const missing = (document.importReport?.entries ?? []).filter(({ outcome }) => outcome === "needsCredential");
  expect(missing.length).toBeGreaterThan(0);
  for (const entry of missing) {
    const at = document.nodes[entry.nodeId ?? ""];
    if (!at || !("credential" in at.config)) continue;
    expect(entryState(entry, document.nodes)).toBe("open");
    const chosen = { ...at, config: { ...at.config, credential: "c1" } };
    expect(entryState(entry, { ...document.nodes, [at.id]: chosen })).toBe("connected");
  }
});

test("a missing credential is listed once, by its name", () => {
  const { entries = [] } = imported().importReport ?? {};
  const missing = entries.filter(({ node, outcome }) => node === "Model" && outcome === "needsCredential");
  expect(missing).toMatchObject([
    { about: "node", note: expect.stringContaining("“Our OpenAI” does not come along.") },
  ]);
});

test("a key in an expression of the file is not kept in the report", () => {
  const key = "sk-test-abcdefghijklmnop1234";
  const document = imported(
    small([node("Set", "set", { assignments: { assignments: [{ name: "a", value: `={{ window.go("${key}") }}` }] } })]),
  );
  expect(JSON.stringify(document)).not.toContain(key);
});

test("a report from a stranger is cut, loses its ticks and places that are not there, and says where it comes from", () => {
  const forged = {
    schemaVersion: 1,
    id: "w",
    name: "From a stranger",
    nodes: { a: { id: "a", type: "stop", position: { x: 0, y: 0 }, config: {} } },
    edges: {},
    importReport: {
      format: "n8n",
      nodes: { total: 1e9, mapped: -3 },
      edges: {},
      expressions: { total: "many" },
      entries: [
        {
          about: "node",
          node: "A\u202e\n<b>x",
          sourceType: "x",
          outcome: "placeholder",
          note: "y".repeat(9_000),
          done: true,
          nodeId: "gone",
        },
        { about: "node", node: "B", sourceType: "x", outcome: "mapped", note: "" },
        { about: "node", node: "C", sourceType: {}, outcome: "approximated", note: null, nodeId: "a" },
        ...Array.from({ length: 500 }, () => ({
          about: "edge",
          node: "z",
          sourceType: "",
          outcome: "approximated",
          note: "",
        })),
      ],
    },
  };
  const read = readDocument(forged, nodeRegistry);
  if (!read.ok || !read.document.importReport) throw new Error("It was not read.");
  const report = receivedReport(read.document.importReport, read.document.nodes);
  expect(report).toMatchObject({
    received: true,
    more: 303,
    nodes: { total: 0, mapped: 0 },
    expressions: { total: 0 },
  });
  expect(report.entries[0]).toMatchObject({ node: "A <b>x" });
  expect(report.entries[0]?.note).toHaveLength(600);
  expect(report.entries[0]).not.toHaveProperty("done");
  expect(report.entries[0]).not.toHaveProperty("nodeId");
  expect(report.entries[1]).toEqual({
    about: "node",
    node: "C",
    sourceType: "",
    outcome: "approximated",
    note: "",
    nodeId: "a",
  });
  for (const odd of ["text", [], { format: "unheard of" }, { format: "n8n", entries: 3 }, null]) {
    const other = readDocument({ ...forged, importReport: odd }, nodeRegistry);
    expect(other.ok && other.document.importReport).toBeUndefined();
  }
});
