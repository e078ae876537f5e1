import { describe, expect, it } from "vitest";
import type { JsonObject } from "../engine/json.ts";
import { nodeRegistry } from "../nodes/index.ts";
import { importForeign } from "./index.ts";
import { difyWorkflow } from "./testing/dify-app.ts";
import { langflowNode } from "./testing/langflow-flow.ts";
import { readImported } from "./testing/read-imported.ts";

const read = (source: unknown) => readImported(source, nodeRegistry);
const refused = (source: unknown) =>
  importForeign(typeof source === "string" ? source : JSON.stringify(source), {
    registry: nodeRegistry,
    newId: () => "x",
  });
const n8n = (type: string, parameters: JsonObject, typeVersion = 1, more: object = {}) => ({
  nodes: [{ name: "It", type, typeVersion, position: [0, 0], parameters, ...more }],
  connections: {},
});
const base = "n8n-nodes-base.";
const chatflow = (name: string, inputs: object) => ({
  nodes: [
    { id: "a", position: { x: 0, y: 0 }, data: { name, label: "It", category: "Chains", inputAnchors: [], inputs } },
  ],
  edges: [],
});
const agents = 'import { Agent, run } from "@openai/agents";\nconst a = new Agent({ name: "A" });\n';

describe("names of JavaScript's prototypes in a file", () => {
  it.each(["constructor", "__proto__", "toString", "hasOwnProperty"])("are unknown words: %s", (word) => {
    const condition = { variable: "a", operation: word, value: "b", output: "Yes" };
    const files = [
      n8n(`${base}${word}`, {}),
      n8n(`${base}${word}Tool`, {}),
      n8n(`${base}slack`, { resource: word, operation: word }),
      n8n(`${base}postgres`, { operation: "select", where: { values: [{ column: "a", condition: word }] } }),
      n8n(`${base}dataTable`, { operation: "get", filters: { conditions: [{ keyName: "a", condition: word }] } }),
      n8n(`${base}stickyNote`, { color: word }),
      n8n(`${base}cron`, { triggerTimes: { item: [{ mode: word }] } }),
      n8n(`${base}dateTime`, { action: word, operation: word }),
      n8n(`${base}executeWorkflowTrigger`, { workflowInputs: { values: [{ name: "a", type: word }] } }),
      n8n("@n8n/n8n-nodes-langchain.toolWorkflow", { fields: { values: [{ name: "a", type: word }] } }),
      chatflow("seqCondition", { conditionUI: [condition] }),
      chatflow("llmAgentflow", { llmStructuredOutput: [{ key: "a", type: word }] }),
      chatflow(word, {}),
      difyWorkflow([{ type: word, title: "It" }], []),
      difyWorkflow([{ type: "parameter-extractor", title: "It", parameters: [{ name: "a", type: word }] }], []),
      difyWorkflow([{ type: "tool", title: "It", tool_name: word, tool_parameters: { a: { value: 1 } } }], []),
      {
        data: {
          nodes: [langflowNode(`${word}-a`), langflowNode("ConditionalRouter-b", { operator: word })],
          edges: [],
        },
      },
      `${agents}const b = new Agent({ name: "B", tools: [${word === "__proto__" ? "x" : word}()] });\nawait run(b, "x");`,
    ];
    const problems = files.map(refused).flatMap((one, index) => (one.ok ? [] : [`${index}: ${one.problem}`]));
    expect(problems).toEqual([]);
  });
});

describe("sizes in a file", () => {
  it.each([4e8, 1e10, -1e10, 1.5])("are bounded: %d outputs", (output) => {
    const rules = { rules: [{ value2: "a", output }] };
    const files = [
      n8n(`${base}switch`, { mode: "expression", numberOutputs: output, output: 0 }, 3),
      n8n(`${base}switch`, { dataType: "string", value1: "x", rules, fallbackOutput: output }, 1),
      n8n(`${base}set`, { values: { string: [{ name: `a[${Math.abs(Math.trunc(output))}]`, value: "x" }] } }, 1),
    ];
    for (const file of files) expect(JSON.stringify(read(file).document).length).toBeLessThan(20_000);
  });

  it("are told before they cost time", () => {
    const nodes = Array.from({ length: 20_000 }, () => ({ ...n8n(`${base}noOp`, {}).nodes[0], name: "a" }));
    const told = { ok: false, problem: expect.stringContaining("20000 nodes") };
    expect(refused({ nodes, connections: {} })).toMatchObject(told);
    const { report } = read({ nodes: nodes.slice(0, 300), connections: {} });
    const names = report.entries.filter(({ about }) => about === "node").map(({ node }) => node);
    expect([names[0], names[1], names[299]]).toEqual(["a", "a1", "a299"]);
  });

  it("give words instead of an error: depth", () => {
    const chain = `${agents}await run(a, input${".a".repeat(20_000)});`;
    const brackets = `${agents}await run(a, ${"[".repeat(20_000)}${"]".repeat(20_000)});`;
    for (const source of [chain, brackets]) {
      const result = refused(source);
      expect(result.ok || result.problem).toEqual(expect.anything());
    }
  });

  it("give words instead of an error: whatever a reader throws", () => {
    const registry = new Proxy(nodeRegistry, {
      get() {
        throw new RangeError("Maximum call stack size exceeded");
      },
    });
    const result = importForeign(JSON.stringify(n8n(`${base}noOp`, {})), { registry, newId: () => "x" });
    expect(result).toMatchObject({ ok: false, problem: expect.stringContaining("too deeply") });
  });
});

describe("keys in a file", () => {
  const key = "sk-live-0123456789abcdefghij";

  it("S87 stay out of names, words, notes, pinned data and the report", () => {
    const { document, report } = read({
      ...n8n(`${base}set`, {}, 3.4, { name: `Call with ${key}`, notes: `Uses ${key}` }),
      name: `Shop ${key}`,
      description: `Bearer ${key}`,
      pinData: { [`Call with ${key}`]: [{ json: { token: "plain-words", text: `Key: ${key}`, id: 7 } }] },
    });
    expect(JSON.stringify([document, report])).not.toMatch(/sk-live|plain-words/);
    const [node] = Object.values(document.nodes);
    expect(node).toMatchObject({ title: "Call with REMOVED", notes: "Uses REMOVED" });
    expect(node?.pin).toEqual({ output: { token: "", text: "Key: REMOVED", id: 7 } });
    const told = report.entries.filter(({ about }) => about === "credential").map(({ sourceType }) => sourceType);
    expect(told.toSorted()).toEqual(["description", "name", "notes", "pin.output.text", "pin.output.token"]);
  });
});

describe("a file that wraps workflows", () => {
  const flow = (name: string) => JSON.stringify({ name, ...n8n(`${base}manualTrigger`, {}) });
  const names = (text: string) => {
    const imported = importForeign(text, { registry: nodeRegistry, newId: () => "x" });
    return imported.ok ? imported.workflows.map(({ document }) => document.name) : imported.problem;
  };

  it("gives each of the workflows that stand one below the other", () => {
    expect(names(`${flow("a")}\n${flow("b")}\n`)).toEqual(["a", "b"]);
    expect(names(`Copied:\n${flow("a")}\n{ and so on`)).toEqual(["a"]);
  });

  it("is read where it is text within JSON, as the APIs of builders hand it out", () => {
    const yaml = "app:\n  mode: workflow\n  name: b\nkind: app\nworkflow:\n  graph:\n    nodes: []\n    edges: []\n";
    expect(names(JSON.stringify({ data: yaml }))).toEqual(["b"]);
    expect(names(JSON.stringify({ data: flow("a") }))).toEqual(["a"]);
    expect(names(JSON.stringify(flow("a")))).toEqual(["a"]);
    expect(names(JSON.stringify({ data: JSON.stringify({ data: flow("a") }) }))).toMatch(/cannot be imported/);
  });

  it("may have a node's version as a text", () => {
    const { node } = read(n8n(`${base}httpRequest`, { method: "DELETE", url: "https://a.test" }, "4.2" as never));
    expect(node("It")?.config["method"]).toBe("DELETE");
  });
});
