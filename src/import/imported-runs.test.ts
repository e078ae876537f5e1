import { describe, expect, it } from "vitest";
import { loadQuickJs } from "../host/sandbox/load-quickjs.ts";
import { runCode } from "../host/sandbox/run-code.ts";
import { nodeRegistry } from "../nodes/index.ts";
import { nobodyApproves } from "../engine/host.ts";
import type { WorkflowDocument } from "../engine/document/workflow-document.ts";
import type { Json } from "../engine/json.ts";
import { loadOnce } from "../engine/load-once.ts";
import { realSleep } from "../engine/testing/real-sleep.ts";
import { runToEnd } from "../engine/testing/run-to-end.ts";
import { testHost, type TestHostOptions } from "../engine/testing/test-host.ts";
import { agentBuilderCode } from "./testing/agents-code.ts";
import { difyChat } from "./testing/dify-app.ts";
import { flowiseAgentflow, flowiseChatflow, flowiseEdge, flowiseNode } from "./testing/flowise-flow.ts";
import { langflow } from "./testing/langflow-flow.ts";
import { readImported } from "./testing/read-imported.ts";

/** Loaded with the first run that has code. */
const openSandbox = loadOnce(() => loadQuickJs(32 * 1024 * 1024));

/** As a person who has reviewed it, chosen the demo model everywhere and turned off what has no documents yet. */
function ready(document: WorkflowDocument): WorkflowDocument {
  const nodes = Object.entries(document.nodes).map(([id, { unreviewed: _reviewed, ...node }]) => {
    if (["knowledge-base-tool", "mcp-tool"].includes(node.type)) return [id, { ...node, disabled: true }];
    if (node.type.endsWith("-model"))
      return [id, { ...node, type: "demo-model", version: 1, config: { streaming: false } }];
    if (node.type === "window-memory") return [id, { ...node, type: "buffer-memory", version: 1, config: {} }];
    return [id, node];
  });
  return { ...document, nodes: Object.fromEntries(nodes) as WorkflowDocument["nodes"] };
}

async function outputOf(source: unknown, input: Json): Promise<Json> {
  const { document } = readImported(source, nodeRegistry);
  // Tools load with their first call, which a virtual clock would not wait for.
  const host = {
    ...testHost({ runCode: async (request) => (await runCode(await openSandbox(), request)).result }),
    sleep: realSleep,
  };
  const { end } = await runToEnd(ready(document), { registry: nodeRegistry, host, input });
  if (end.outcome !== "completed") throw new Error(JSON.stringify(end));
  return end.output ?? null;
}

describe("an imported workflow of Dify on the demo model", () => {
  it("goes the way of its conditions, through its loop and its Jinja template", async () => {
    const output = await outputOf(difyChat, { message: "by train please", sessionId: "a" });
    expect(output).toEqual({ response: expect.stringMatching(/^\[BY 0\], \[TRAIN 1\], \[PLEASE 2\] \/ .+/) });
  });

  it("takes the second and the last way, too", async () => {
    expect(await outputOf(difyChat, { message: "walk" })).toEqual({ response: "A short way in north." });
    expect(await outputOf(difyChat, { message: "fly" })).toEqual({ response: "Never mind." });
  });
});

describe("an imported workflow of Flowise on the demo model", () => {
  it("goes the way of its conditions, through its loop and its code", async () => {
    const output = await outputOf(flowiseAgentflow, { message: "list two" });
    expect(output).toEqual({ response: [{ response: "<list>" }, { response: "<two>" }] });
  });

  it("carries its state from node to node", async () => {
    const output = await outputOf(flowiseAgentflow, { message: "hello" });
    expect(output).toEqual({ response: expect.stringMatching(/^It was: Hello, /) });
  });

  it("calls the tools of a chatflow's agent", async () => {
    const output = await outputOf(flowiseChatflow, { message: "What is 6 * 7?" });
    expect(output).toMatchObject({ response: expect.stringContaining("42") });
  });
});

describe("a loop of Flowise", () => {
  const step = (id: string, inputs: object, label: string) => flowiseNode(id, "Agent Flows", inputs, { label });
  const count = "<p>{{ $flow.state.count }}</p>";
  const code = (id: string, label: string, to = "startAgentflow_0-Start") => [
    step("startAgentflow_0", { startState: [{ key: "count", value: "0" }] }, "Start"),
    step(
      "customFunctionAgentflow_0",
      {
        customFunctionInputVariables: [{ variableName: "count", variableValue: count }],
        customFunctionJavascriptFunction: "return Number($count) + 1;",
        customFunctionUpdateState: [{ key: "count", value: "<p>{{ output }}</p>" }],
      },
      "Count",
    ),
    step(
      "conditionAgentflow_0",
      { conditions: [{ type: "number", value1: count, operation: "smaller", value2: "3" }] },
      "Enough",
    ),
    step(id, { loopBackToNode: to, maxLoopCount: 5 }, label),
    step("directReplyAgentflow_0", { directReplyMessage: `<p>Counted to {{ $flow.state.count }}</p>` }, "Say"),
  ];
  const edges = [
    flowiseEdge("startAgentflow_0", "customFunctionAgentflow_0"),
    flowiseEdge("customFunctionAgentflow_0", "conditionAgentflow_0"),
    flowiseEdge("conditionAgentflow_0", "loopAgentflow_0", "", "0"),
    flowiseEdge("conditionAgentflow_0", "directReplyAgentflow_0", "", "1"),
  ];

  it.each(["startAgentflow_0-Start", "customFunctionAgentflow_0-Count"])(
    "goes back to %s with its state",
    async (to) => {
      const flow = { nodes: code("loopAgentflow_0", "Back", to), edges };
      expect(readImported(flow, nodeRegistry).entry("Back")?.outcome).toBe("mapped");
      expect(await outputOf(flow, { message: "go" })).toEqual({ response: "Counted to 3" });
    },
  );

  it("ends where it is when it goes back to what does not lead to it", () => {
    const flow = { nodes: code("loopAgentflow_0", "Back", "directReplyAgentflow_0-Say"), edges };
    expect(readImported(flow, nodeRegistry).entry("Back")).toMatchObject({ outcome: "approximated" });
  });
});

describe("imported code of the Agent Builder on the demo model", () => {
  // What a person has to approve first is turned off.
  it("runs its agents in order and goes the way of its conditions", async () => {
    const output = await outputOf(agentBuilderCode, { message: "my order" });
    expect(output).toEqual({ response: expect.stringMatching(/./) });
  });

  it("knows its state at the end", async () => {
    const output = await outputOf(agentBuilderCode, { message: "hello" });
    expect(output).toEqual({ message: "Nothing to do (2, calm)" });
  });
});

describe("an imported flow of Langflow on the demo model", () => {
  it("goes the way of its condition and calls its tool", async () => {
    const output = await outputOf(
      {
        ...langflow,
        data: { ...langflow.data, nodes: langflow.data.nodes.filter(({ id }) => id !== "PythonFunction-h") },
      },
      { message: "the sum 2 + 3" },
    );
    expect(output).toEqual({ response: expect.stringContaining("5") });
  });
});

describe("a loop of Langflow", () => {
  const node = (id: string, template: object = {}) => ({
    id,
    type: "genericNode",
    position: { x: 0, y: 0 },
    data: {
      id,
      type: id,
      node: {
        display_name: id,
        template: Object.fromEntries(Object.entries(template).map(([name, value]) => [name, { value }])),
      },
    },
  });
  const edge = (source: string, output: string, target: string, fieldName: string | undefined) => ({
    source,
    target,
    data: { sourceHandle: { name: output }, targetHandle: fieldName === undefined ? { name: "item" } : { fieldName } },
  });

  it("runs for each item, goes on by itself, and hands its results on", async () => {
    const flow = {
      name: "Loop",
      data: {
        nodes: [
          node("ChatInput"),
          node("LoopComponent"),
          node("ParserComponent", { pattern: "<{text}>", mode: "Parser" }),
          node("ChatOutput"),
        ],
        edges: [
          edge("ChatInput", "message", "LoopComponent", "data"),
          edge("LoopComponent", "item", "ParserComponent", "input_data"),
          edge("ParserComponent", "parsed_text", "LoopComponent", undefined),
          edge("LoopComponent", "done", "ChatOutput", "input_value"),
        ],
      },
    };
    const { report } = readImported(flow, nodeRegistry);
    expect(report.nodes).toMatchObject({ total: 4, placeholder: 0 });
    expect(report.entries.find(({ node: name }) => name === "ParserComponent → LoopComponent")?.note).toBe(
      "The end of the loop: the loop goes on by itself.",
    );
    expect(await outputOf(flow, { message: "one" })).toEqual({ response: [{ text: "<one>" }] });
  });
});

describe("an imported approval", () => {
  const slack = (responseType: string) => ({
    name: "Ask first",
    nodes: [
      { name: "Start", type: "n8n-nodes-base.manualTrigger", typeVersion: 1, position: [0, 0], parameters: {} },
      {
        name: "Ask",
        type: "n8n-nodes-base.slack",
        typeVersion: 2.3,
        position: [200, 0],
        parameters: { operation: "sendAndWait", message: "=Pay {{ $json.amount }}?", responseType },
      },
      {
        name: "Agreed?",
        type: "n8n-nodes-base.if",
        typeVersion: 1,
        position: [400, 0],
        parameters: { conditions: { boolean: [{ value1: "={{ $json.data.approved }}", value2: true }] } },
      },
      ...["Pay", "Leave"].map((name, index) => ({
        name,
        type: "n8n-nodes-base.set",
        typeVersion: 3.4,
        position: [600, index * 100],
        parameters: { assignments: { assignments: [{ name: "did", value: name, type: "string" }] } },
      })),
    ],
    connections: {
      Start: { main: [[{ node: "Ask", type: "main", index: 0 }]] },
      Ask: { main: [[{ node: "Agreed?", type: "main", index: 0 }]] },
      "Agreed?": {
        main: [[{ node: "Pay", type: "main", index: 0 }], [{ node: "Leave", type: "main", index: 0 }]],
      },
    },
  });

  async function outcome(approve: TestHostOptions["approve"]) {
    const { document } = readImported(slack("approval"), nodeRegistry);
    const host = testHost({ approve });
    const { end } = await runToEnd(ready(document), { registry: nodeRegistry, host, input: { amount: 5 } });
    if (end.outcome !== "completed") throw new Error(JSON.stringify(end));
    return { output: end.output, asked: host.approvals.map(({ message }) => message) };
  }

  it("S67 asks anew and follows the answer; where nobody can be asked, it is a no", async () => {
    expect(await outcome(() => ({ approved: true, input: {} }))).toMatchObject({
      output: { did: "Pay" },
      asked: ["Pay 5?"],
    });
    expect(await outcome(() => ({ approved: false, reason: "No." }))).toMatchObject({ output: { did: "Leave" } });
    expect(await outcome(nobodyApproves)).toMatchObject({ output: { did: "Leave" } });
  });

  it("a form to fill in is none", () => {
    expect(readImported(slack("customForm"), nodeRegistry).node("Ask")?.type).not.toBe("approval");
  });
});
