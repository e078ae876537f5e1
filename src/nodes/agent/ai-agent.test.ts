import { describe, expect, it } from "vitest";
import type { ChatModel, ModelRequest } from "../../engine/model/chat-model.ts";
import type { PrivacySettings } from "../../engine/document/workflow-document.ts";
import { messageText } from "../../engine/model/message.ts";
import type { JsonObject } from "../../engine/json.ts";
import { reduceRunAll } from "../../engine/run/reduce-run.ts";
import { emptyRunState } from "../../engine/run/run-state.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { testMemory, testTool } from "../../engine/testing/run-scripted-agent.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode } from "../../engine/testing/sample-nodes.ts";
import { scriptedModel, type ScriptedTurn } from "../../engine/testing/scripted-model.ts";
import { memoryNodeOf, modelNodeOf, toolNodeOf } from "../../engine/testing/service-node.ts";
import { testHost, type TestHost } from "../../engine/testing/test-host.ts";
import { aiAgent } from "./ai-agent.ts";

interface Setup {
  model: ChatModel;
  config?: JsonObject;
  input?: JsonObject;
  fallback?: ChatModel;
  privacy?: PrivacySettings;
}

const add = () => testTool("add", 42);

/** start → agent, with a model, a memory and a tool. */
function single({ model, config = {}, input = { message: "Hello" }, fallback, privacy }: Setup) {
  const memory = testMemory();
  const tool = add();
  const nodes = [
    startNode,
    aiAgent,
    modelNodeOf("model-node", model),
    modelNodeOf("fallback-node", fallback ?? model),
    memoryNodeOf("memory-node", memory),
    toolNodeOf("tool-node", tool),
  ];
  const document = buildWorkflow({
    nodes: {
      start: ["start"],
      agent: ["ai-agent", config],
      model: ["model-node"],
      memory: ["memory-node"],
      tool: ["tool-node"],
      ...(fallback ? { second: ["fallback-node"] as [string] } : {}),
    },
    edges: [
      "start.main -> agent.main",
      "model.model -> agent.model",
      "memory.memory -> agent.memory",
      "tool.tool -> agent.tools",
      ...(fallback ? ["second.model -> agent.fallback"] : []),
    ],
  });
  const host = testHost();
  const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const workflow = privacy ? { ...document, privacy } : document;
  return { memory, tool, run: runToEnd(workflow, { registry, host, input }) };
}

describe("ai-agent", () => {
  it("runs with model, memory and tools wired to it and names the edges in its events", async () => {
    const model = scriptedModel([{ calls: [{ name: "add", arguments: {} }] }, { text: "It is 42." }]);
    const { run, memory, tool } = single({ model, config: { systemPrompt: "You help {{json.message}}." } });
    const { end, of } = await run;
    expect(end).toMatchObject({
      outcome: "completed",
      output: { response: "It is 42.", metadata: { toolsUsed: ["add"], finishReason: "completed" } },
      usage: { inputTokens: 20, outputTokens: 10 },
    });
    expect(model.requests[0]?.messages.map(messageText)).toEqual(["You help Hello.", "Hello"]);
    expect(tool.inputs).toHaveLength(1);
    expect(of("tool-call-start")[0]).toMatchObject({ toolNodeId: "tool", edgeId: "tool.tool -> agent.tools" });
    expect(of("model-request")[0]).toMatchObject({ modelNodeId: "model", edgeId: "model.model -> agent.model" });
    expect(of("memory-load")[0]).toMatchObject({ memoryNodeId: "memory", edgeId: "memory.memory -> agent.memory" });
    expect(memory.writes).toHaveLength(1);
  });

  it("shows on the node and on the run why it stopped early, until it runs again", async () => {
    const model = scriptedModel([{ text: "Once upon", finishReason: "length" }]);
    const { events, end } = await single({ model }).run;
    expect(end).toMatchObject({ outcome: "completed", output: { metadata: { finishReason: "length" } } });
    const state = reduceRunAll(emptyRunState(end?.runId ?? ""), events);
    expect(state.nodes["agent"]).toMatchObject({ status: "done", ending: { finish: "length" } });
    expect(state.ending).toMatchObject({ nodeId: "agent", setting: { nodeId: "model", field: "maxTokens" } });
  });

  it("stores masked messages in its memory where the workflow asks for it, and only there", async () => {
    const say = async (memory: boolean) => {
      const model = scriptedModel([{ text: "Noted: ada@example.org" }]);
      const made = single({
        model,
        input: { message: "Write to ada@example.org" },
        config: { userMessage: "{{json.message}}" },
        privacy: { mask: ["emails"], patterns: [], memory },
      });
      expect((await made.run).end).toMatchObject({ output: { response: "Noted: ada@example.org" } });
      expect(model.requests[0]?.messages.map(messageText)).toContain("Write to ada@example.org");
      return made.memory.writes.flatMap(({ messages }) => messages.map(messageText));
    };
    expect(await say(true)).toEqual(["Write to [email]", "Noted: [email]"]);
    expect(await say(false)).toEqual(["Write to ada@example.org", "Noted: ada@example.org"]);
  });

  it("takes the session from a template; a missing path fails before the memory is touched", async () => {
    const config = { sessionId: "{{json.chat}}" };
    const first = single({ model: scriptedModel([{ text: "Hi" }]), config, input: { message: "Hello", chat: "c1" } });
    await first.run;
    expect(first.memory.writes[0]?.session).toBe("c1");
    const second = single({ model: scriptedModel([{ text: "Hi" }]), config });
    expect((await second.run).end).toMatchObject({ error: { code: "expression_error", nodeId: "agent" } });
    expect(second.memory.writes).toEqual([]);
    const third = single({ model: scriptedModel([{ text: "Hi" }]) });
    await third.run;
    expect(third.memory.writes[0]?.session).toBe("session");
  });

  it("fails with the place of a missing message", async () => {
    const { end } = await single({ model: scriptedModel([]), input: { text: "Hello" } }).run;
    expect(end).toMatchObject({ outcome: "failed", error: { code: "expression_error", nodeId: "agent" } });
  });

  it("uses the fallback port", async () => {
    const fallback = scriptedModel([{ text: "Second." }]);
    const model = scriptedModel([{ error: { message: "Gone." } }]);
    const { end, of } = await single({ model, fallback }).run;
    expect(end.output).toMatchObject({ response: "Second." });
    expect(of("model-request").at(-1)?.edgeId).toBe("second.model -> agent.fallback");
  });

  it("counts its own scratchpad's calls to no node and no edge", async () => {
    const model = scriptedModel([{ calls: [{ name: "recall", arguments: {} }] }, { text: "Nothing yet." }]);
    const { events, of } = await single({ model, config: { scratchpad: true } }).run;
    const place = events.findIndex((event) => event.type === "tool-call-end");
    const state = reduceRunAll(emptyRunState(events[0]?.runId ?? ""), events.slice(0, place + 1));
    expect(of("tool-call-end")).toMatchObject([{ toolName: "recall", ok: true }]);
    expect(state.nodes.agent).toMatchObject({ status: "running", uses: 0 });
    expect(Object.keys(state.usedEdges)).not.toContain("");
    expect(state.steps.filter((step) => step.kind === "tool")).toHaveLength(1);
  });

  it("onError fail ends the run with the error on the node", async () => {
    const { end, of } = await single({ model: scriptedModel([{ error: { message: "Gone." } }]) }).run;
    expect(end).toMatchObject({ outcome: "failed", output: null, error: { message: "Gone." } });
    expect(of("node-error")).toMatchObject([{ nodeId: "agent", handled: false }]);
  });

  it("onError continue gives { error } and metadata, and the run completes", async () => {
    const model = scriptedModel([{ error: { message: "Gone.", hint: "Come back." } }]);
    const { end, of } = await single({ model, config: { onError: "continue" } }).run;
    expect(end).toMatchObject({
      outcome: "completed",
      output: {
        error: { code: "model_error", message: "Gone.", hint: "Come back." },
        metadata: { finishReason: "error" },
      },
    });
    expect(of("node-error")).toMatchObject([{ nodeId: "agent", handled: true }]);
    expect(of("node-end").filter((event) => event.nodeId === "agent")).toHaveLength(1);
  });
});

/** An agent `chief` with an agent `helper` as tool, which has a tool of its own. */
function nested(
  chief: ChatModel,
  helper: ChatModel,
  helperConfig: JsonObject = {},
  { host = testHost(), tool = add() } = {},
) {
  const nodes = [
    startNode,
    aiAgent,
    modelNodeOf("chief-model", chief),
    modelNodeOf("helper-model", helper),
    toolNodeOf("tool-node", tool),
  ];
  const document = buildWorkflow({
    nodes: {
      start: ["start"],
      chief: ["ai-agent", {}],
      helper: ["ai-agent", { toolName: "ask_helper", toolDescription: "Knows sums.", ...helperConfig }],
      m1: ["chief-model"],
      m2: ["helper-model"],
      tool: ["tool-node"],
    },
    edges: [
      "start.main -> chief.main",
      "m1.model -> chief.model",
      "m2.model -> helper.model",
      "tool.tool -> helper.tools",
      "helper.tool -> chief.tools",
    ],
  });
  const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  return runToEnd(document, { registry, host, input: { message: "Hello" } });
}

function passesOn(request: ModelRequest): ScriptedTurn {
  const tool = request.tools[0];
  if (request.messages.at(-1)?.role === "tool") return { text: "Up." };
  return tool ? { calls: [{ name: tool.name, arguments: { message: "Down." } }] } : { text: "Bottom." };
}

/** An agent `a0` with `depth` agents below it, each the tool of the one before. */
function chain(depth: number) {
  const levels = Array.from({ length: depth + 1 }, (_, level) => `a${level}`);
  const agents = levels.map((id): [string, [string, JsonObject]] => [id, ["ai-agent", { toolName: `ask_${id}` }]]);
  const document = buildWorkflow({
    nodes: { start: ["start"], model: ["model-node"], ...Object.fromEntries(agents) },
    edges: [
      "start.main -> a0.main",
      ...levels.map((id) => `model.model -> ${id}.model`),
      ...levels.slice(1).map((id, index) => `${id}.tool -> ${levels[index]}.tools`),
    ],
  });
  const model = modelNodeOf("model-node", scriptedModel(passesOn));
  const registry = { start: startNode, "ai-agent": aiAgent, "model-node": model };
  return runToEnd(document, { registry, host: testHost(), input: { message: "Go" } });
}

describe("agent as tool", () => {
  it("answers the calling agent, with its events nested under the call", async () => {
    const chief = scriptedModel([
      { calls: [{ name: "ask_helper", arguments: { message: "What is 40 + 2?" } }] },
      { text: "The helper says 42." },
    ]);
    const helper = scriptedModel([{ calls: [{ name: "add", arguments: {} }] }, { text: "42" }]);
    const { end, of, events } = await nested(chief, helper);
    expect(end).toMatchObject({
      outcome: "completed",
      output: { response: "The helper says 42.", metadata: { usage: { inputTokens: 40, outputTokens: 20 } } },
      usage: { inputTokens: 40, outputTokens: 20 },
    });
    expect(chief.requests[0]?.tools).toMatchObject([{ name: "ask_helper", description: "Knows sums." }]);
    expect(helper.requests[0]?.messages.map(messageText).at(-1)).toBe("What is 40 + 2?");
    const call = of("tool-call-start").find((event) => event.toolName === "ask_helper");
    expect(call).toMatchObject({ nodeId: "chief", toolNodeId: "helper", edgeId: "helper.tool -> chief.tools" });
    const inner = events.filter((event) => "nodeId" in event && event.nodeId === "helper");
    expect(inner.length).toBeGreaterThan(5);
    expect(inner.every((event) => event.parentCallId === call?.callId)).toBe(true);
    const outer = events.filter((event) => "nodeId" in event && event.nodeId === "chief");
    expect(outer.every((event) => event.parentCallId === undefined)).toBe(true);
    expect(of("tool-call-end").find((event) => event.toolName === "ask_helper")).toMatchObject({
      ok: true,
      output: "42",
    });
  });

  it("tells its caller that it stopped early, and fails where it has nothing to give", async () => {
    const chief = () =>
      scriptedModel([{ calls: [{ name: "ask_helper", arguments: { message: "Sum?" } }] }, { text: "Done." }]);
    const cut = await nested(chief(), scriptedModel([{ text: "It is 4", finishReason: "length" }]));
    const answered = cut.of("tool-call-end").at(-1);
    expect(answered).toMatchObject({ ok: true, output: "It is 4" });
    expect(answered?.text).toContain("It is 4\n\n[This agent stopped early. The answer was cut off");
    // It is the helper's ending, not the run's.
    const state = reduceRunAll(emptyRunState(cut.events[0]?.runId ?? ""), cut.events);
    expect(state.nodes["helper"]?.ending).toMatchObject({ finish: "length" });
    expect(state.ending).toBeUndefined();

    const looping = scriptedModel(() => ({ calls: [{ name: "add", arguments: {} }] }));
    const { of } = await nested(chief(), looping, { repeatedCallLimit: 1 });
    expect(of("tool-call-end").at(-1)).toMatchObject({ toolName: "ask_helper", ok: false });
  });

  it("gives every call of one run its own id, whatever the models say", async () => {
    const same = { callId: "call_0" };
    const chief = scriptedModel([
      { calls: [{ name: "ask_helper", arguments: { message: "One?" }, ...same }] },
      { calls: [{ name: "ask_helper", arguments: { message: "Two?" }, ...same }] },
      { text: "Done." },
    ]);
    const turn = (request: ModelRequest): ScriptedTurn =>
      request.messages.at(-1)?.role === "tool" ? { text: "42" } : { calls: [{ name: "add", arguments: {}, ...same }] };
    const { of } = await nested(chief, scriptedModel(turn));
    const ids = of("tool-call-start").map((event) => event.callId);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
  });

  it("can use its arguments in its own templates", async () => {
    const chief = scriptedModel([
      { calls: [{ name: "ask_helper", arguments: { message: "sums" } }] },
      { text: "Done." },
    ]);
    const helper = scriptedModel([{ text: "42" }]);
    await nested(chief, helper, { systemPrompt: "Topic: {{json.message}}" });
    expect(helper.requests[0]?.messages.map(messageText)).toEqual(["Topic: sums", "sums"]);
  });

  it("does not count the wait for an approval inside it towards anyone's time limit", async () => {
    const chief = scriptedModel([{ calls: [{ name: "ask_helper", arguments: { message: "Go" } }] }, { text: "Done." }]);
    const helper = scriptedModel([{ calls: [{ name: "add", arguments: {} }] }, { text: "42" }]);
    const host: TestHost = testHost({
      approve: async (request, signal) => {
        await host.sleep(3_600_000, signal);
        return { approved: true, input: request.input };
      },
    });
    const { end } = await nested(chief, helper, {}, { host, tool: testTool("add", 42, { approval: "ask" }) });
    expect(host.approvals).toHaveLength(1);
    expect(end).toMatchObject({ outcome: "completed", output: { response: "Done." } });
  });

  it("tells the calling model of its failure, and the run goes on", async () => {
    const chief = scriptedModel([
      { calls: [{ name: "ask_helper", arguments: { message: "Hm?" } }] },
      { text: "The helper is away." },
    ]);
    const { end, of } = await nested(chief, scriptedModel([{ error: { message: "Gone.", hint: "Later." } }]));
    expect(end).toMatchObject({ outcome: "completed", output: { response: "The helper is away." } });
    expect(of("tool-call-end")[0]).toMatchObject({ ok: false, text: "Error: Gone. Later." });
  });

  it("works five agents deep", async () => {
    const { end, of } = await chain(5);
    expect(of("model-request")).toHaveLength(11);
    expect(end).toMatchObject({ outcome: "completed", output: { response: "Up." } });
  });

  it("is refused deeper than that, before the run", async () => {
    const { end, of } = await chain(6);
    expect(of("model-request")).toHaveLength(0);
    expect(end).toMatchObject({ outcome: "failed", error: { code: "missing_connection", nodeId: "a0" } });
  });
});
