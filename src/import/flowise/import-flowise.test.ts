import { describe, expect, it } from "vitest";
import { nodeRegistry } from "../../nodes/index.ts";
import { validateWorkflow } from "../../engine/document/validate.ts";
import { importForeign } from "../index.ts";
import { flowiseAgentflow, flowiseChatflow, flowiseEdge, flowiseNode } from "../testing/flowise-flow.ts";
import { readImported } from "../testing/read-imported.ts";

const read = (source: unknown) => readImported(source, nodeRegistry);

/** What is wrong besides what a person has to choose. */
function wrong(source: unknown) {
  return validateWorkflow(read(source).document, nodeRegistry)
    .filter(({ severity, code }) => severity === "error" && code !== "invalid_credentials")
    .filter(({ message }) => !message.includes("waits for your review") && message !== "Collection is required.");
}

const flow = (nodes: object[], edges: object[] = []) => ({
  nodes: [flowiseNode("startAgentflow_0", "Agent Flows", {}, { label: "Start" }), ...nodes],
  edges,
});
const step = (name: string, inputs: object) => flowiseNode(`${name}_0`, "Agent Flows", inputs, { label: "It" });
const one = (name: string, inputs: object) =>
  read(flow([step(name, inputs)], [flowiseEdge("startAgentflow_0", `${name}_0`)]));

describe("an agentflow", () => {
  const { report, node, edges, entry, format } = read(flowiseAgentflow);

  it("names every node and edge once, and translates every variable", () => {
    expect(format).toBe("flowise");
    expect(report.nodes).toMatchObject({ total: 8, placeholder: 0 });
    expect(report.edges).toEqual({ total: 6, mapped: 6, reported: 0 });
    expect(report.expressions.unsupported).toBe(0);
    expect(entry("Think")).toMatchObject({ outcome: "needsCredential", targetType: "ai-agent" });
    expect(wrong(flowiseAgentflow)).toEqual([]);
  });

  it("has models, memories, state, conditions and loops", () => {
    expect(node("claude-sonnet-4-6")).toMatchObject({ type: "anthropic-model", config: { temperature: 0.2 } });
    expect(node("Memory of Think")?.config).toMatchObject({ maxMessages: 6 });
    expect(node("Think")?.config).toMatchObject({
      systemPrompt: 'Be {{"calm"}}',
      userMessage: "{{nodes.?start.?message.orValue(null)}}",
    });
    expect(edges).toContain("Think.main > State after Think.main");
    expect(edges).toContain("State after Think.main > Which way.main");
    expect(edges).toContain("Which way.true > Cut.main");
    expect(edges).toContain("Which way.false > Other.main");
    expect(edges).toContain("Each.main > Item of Each.main");
    expect(edges).toContain("Each.done > All.main");
  });
});

describe("a chatflow", () => {
  const { report, node, edges, entry } = read(flowiseChatflow);

  it("is an agent behind a trigger, with what serves it", () => {
    expect(edges).toContain("Chat.main > Helper.main");
    expect(edges).toContain("Model.model > Helper.model");
    expect(edges).toContain("Memory.memory > Helper.memory");
    expect(edges).toContain("Calculator.tool > Helper.tools");
    expect(edges).toContain("Store.tool > Helper.tools");
    expect(node("Helper")?.config).toMatchObject({ systemPrompt: "Help.", maxIterations: 4 });
    expect(node("Memory")?.config).toMatchObject({ maxMessages: 8 });
    expect(node("Store")?.config).toMatchObject({
      toolName: "search_docs",
      toolDescription: "Finds documents",
      topK: 3,
    });
    expect(wrong(flowiseChatflow)).toEqual([]);
  });

  it("asks what was filled in, in a conversation for each run, where a form starts the flow", () => {
    const form = { startInputType: "formInput", formInputTypes: [{ name: "topic", type: "string" }] };
    const start = flowiseNode("startAgentflow_0", "Agent Flows", form, { label: "Start" });
    const agent = flowiseNode("agentAgentflow_0", "Agent Flows", { agentEnableMemory: true }, { label: "It" });
    const { document } = read({ nodes: [start, agent], edges: [flowiseEdge("startAgentflow_0", "agentAgentflow_0")] });
    const memory = Object.values(document.nodes).find(({ type }) => type === "window-memory");
    expect(memory?.config["sessionId"]).toMatch(/^\{\{run\.id\}\}:/);
    const asked = Object.values(document.nodes).find(({ type }) => type === "ai-agent");
    expect(asked?.config["userMessage"]).toContain('{{"topic: " + text(nodes.?start.?topic.orValue(null))}}');
  });

  it("names parts of others, unknown tools and every edge", () => {
    expect(entry("Embeddings")).toMatchObject({ targetType: null, outcome: "approximated" });
    expect(entry("Retriever")).toMatchObject({ targetType: null, outcome: "mapped" });
    expect(entry("Own tool")).toMatchObject({ outcome: "placeholder" });
    expect(report.edges).toMatchObject({ total: 8 });
    expect(report.edges.mapped + report.edges.reported).toBe(8);
  });

  it("fills prompts and hands one chain's answer to the next", () => {
    const chains = read({
      nodes: [
        flowiseNode("llmChain_0", "Chains", {}, { label: "First" }),
        flowiseNode("promptTemplate_0", "Prompts", { template: "About {topic}: {question}" }, { label: "P0" }),
        flowiseNode("llmChain_1", "Chains", {}, { label: "Second" }),
        flowiseNode(
          "promptTemplate_1",
          "Prompts",
          { template: "Sum up {first}", promptValues: '{"first":"{{llmChain_0.data.instance}}"}' },
          { label: "P1" },
        ),
      ],
      edges: [
        flowiseEdge("promptTemplate_0", "llmChain_0", "prompt"),
        flowiseEdge("llmChain_0", "promptTemplate_1", "promptValues"),
        flowiseEdge("promptTemplate_1", "llmChain_1", "prompt"),
      ],
    });
    expect(chains.edges).toContain("Chat.main > First.main");
    expect(chains.edges).toContain("First.main > Second.main");
    expect(chains.node("First")?.config.userMessage).toBe(
      "About {{nodes.?chat.?topic.orValue(null)}}: {{nodes.?chat.?message.orValue(null)}}",
    );
    expect(chains.node("Second")?.config.userMessage).toBe("Sum up {{nodes.?first.?response.orValue(null)}}");
  });
});

describe("older agentflows", () => {
  it("a supervisor calls its workers as tools, with its own model", () => {
    const team = read({
      nodes: [
        flowiseNode("supervisor_0", "Multi Agents", {
          supervisorName: "Boss",
          supervisorPrompt: "Lead {team_members}.",
        }),
        flowiseNode("worker_0", "Multi Agents", { workerName: "Ann Smith", workerPrompt: "Write." }),
        flowiseNode("chatOpenAI_0", "Chat Models", { modelName: "gpt-4o" }, { label: "Model" }),
      ],
      edges: [
        flowiseEdge("chatOpenAI_0", "supervisor_0", "model"),
        flowiseEdge("supervisor_0", "worker_0", "supervisor"),
      ],
    });
    expect(team.edges).toEqual(
      expect.arrayContaining(["Chat.main > Boss.main", "Ann Smith.tool > Boss.tools", "Model.model > Ann Smith.model"]),
    );
    expect(team.node("Boss")?.config.systemPrompt).toBe("Lead Ann Smith.");
    expect(team.node("Ann Smith")?.config.toolName).toBe("Ann_Smith");
  });

  it("a sequence takes the model of its start and goes the way that an agent chooses", () => {
    const sequence = read({
      nodes: [
        flowiseNode("seqStart_0", "Sequential Agents", {}, { label: "Start" }),
        flowiseNode("seqConditionAgent_0", "Sequential Agents", {
          conditionAgentName: "Route",
          systemMessagePrompt: "Choose for {question}",
        }),
        flowiseNode("seqAgent_0", "Sequential Agents", { agentName: "Billing", systemMessagePrompt: "Bill." }),
        flowiseNode("seqEnd_0", "Sequential Agents", {}, { label: "End" }),
        flowiseNode("chatOpenAI_0", "Chat Models", { modelName: "gpt-4o" }, { label: "Model" }),
      ],
      edges: [
        flowiseEdge("chatOpenAI_0", "seqStart_0", "model"),
        flowiseEdge("seqStart_0", "seqConditionAgent_0", "sequentialNode"),
        flowiseEdge("seqConditionAgent_0", "seqAgent_0", "sequentialNode", "billing-Condition"),
        flowiseEdge("seqConditionAgent_0", "seqEnd_0", "sequentialNode", "end-Condition"),
      ],
    });
    expect(sequence.edges).toContain("Model.model > Billing.model");
    expect(sequence.edges).toContain("Ways of Route.case1 > Billing.main");
    expect(sequence.edges).toContain("Ways of Route.case2 > End.main");
  });
});

describe("nodes of an agentflow", () => {
  it.each([
    [
      "httpAgentflow",
      {
        method: "POST",
        url: "https://api.example.com/{{ question }}",
        headers: [{ key: "X-A", value: "1" }],
        body: '{"a": 1}',
      },
      "http-request",
    ],
    [
      "toolAgentflow",
      {
        toolAgentflowSelectedTool: "tavilyAPI",
        toolInputArgs: [{ inputArgName: "input", inputArgValue: "{{ question }}" }],
      },
      "http-request",
    ],
    ["toolAgentflow", { toolAgentflowSelectedTool: "gmail" }, "placeholder"],
    [
      "customFunctionAgentflow",
      { customFunctionJavascriptFunction: "const pg = require('pg'); return 1;" },
      "placeholder",
    ],
    ["retrieverAgentflow", { retrieverQuery: "{{ question }}" }, "search-documents"],
    ["loopAgentflow", { loopBackToNode: "startAgentflow_0-Start" }, "set-fields"],
    ["humanInputAgentflow", { humanInputDescription: "Sure?" }, "approval"],
    [
      "conditionAgentAgentflow",
      { conditionAgentModel: "chatOpenAI", conditionAgentScenarios: [{ scenario: "A" }, { scenario: "B" }] },
      "ai-agent",
    ],
    [
      "agentAgentflow",
      {
        agentModel: "chatOllama",
        agentTools: [{ agentSelectedTool: "calculator", agentSelectedToolRequiresHumanInput: true }],
        agentKnowledgeDocumentStores: [{ documentStore: "id:papers" }],
      },
      "ai-agent",
    ],
    ["executeFlowAgentflow", {}, "placeholder"],
  ])("%s becomes what is valid", (name, inputs, type) => {
    expect(one(name, inputs).node("It")?.type).toBe(type);
    expect(wrong(flow([step(name, inputs)], [flowiseEdge("startAgentflow_0", `${name}_0`)]))).toEqual([]);
  });

  it("ask for approval where a person had to agree", () => {
    const { node } = one("agentAgentflow", {
      agentTools: [{ agentSelectedTool: "calculator", agentSelectedToolRequiresHumanInput: true }],
    });
    expect(node("calculator")?.config.approval).toBe("ask");
  });
});

describe("odd files", () => {
  it("are taken whole installations at a time, with null slots and lost edges", () => {
    const text = JSON.stringify({
      ChatFlow: [{ name: "One", flowData: JSON.stringify(flowiseChatflow) }],
      AgentFlowV2: [
        {
          name: "Two",
          flowData: JSON.stringify({
            nodes: [null, ...flowiseAgentflow.nodes, { data: null }],
            edges: [null, ...flowiseAgentflow.edges, flowiseEdge("gone_0", "llmAgentflow_0")],
          }),
        },
        { name: "Broken", flowData: "{" },
      ],
    });
    const imported = importForeign(text, { registry: nodeRegistry, newId: () => "id" });
    if (!imported.ok) throw new Error(imported.problem);
    expect(imported.workflows.map(({ document }) => document.name)).toEqual(["Two", "One"]);
    expect(imported.workflows[0]?.report.edges).toEqual({ total: 7, mapped: 6, reported: 1 });
  });
});
