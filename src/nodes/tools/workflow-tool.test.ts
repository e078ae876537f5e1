import { describe, expect, it } from "vitest";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { JsonObject } from "../../engine/json.ts";
import { messageText } from "../../engine/model/message.ts";
import { emptyRunState } from "../../engine/run/run-state.ts";
import { reduceRunAll } from "../../engine/run/reduce-run.ts";
import { buildWorkflow, type WorkflowSketch } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { type Script, scriptedModel } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf, toolNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { aiAgent } from "../agent/ai-agent.ts";
import { approval } from "../flow/approval.ts";
import { setFields } from "../flow/set-fields.ts";
import { chatTrigger } from "../triggers/chat-trigger.ts";
import { manualTrigger } from "../triggers/manual-trigger.ts";
import { workflowTool } from "./workflow-tool.ts";

const agentEdges = ["start.main -> agent.main", "model.model -> agent.model", "tool.tool -> agent.tools"];

/** An agent with one workflow tool; its model's turns come from `script`. */
function outer(config: JsonObject, id = "outer"): WorkflowSketch {
  return {
    id,
    name: id,
    nodes: {
      start: ["chat-trigger"],
      agent: ["ai-agent"],
      model: ["m"],
      tool: ["workflow-tool", { toolName: "helper", ...config }],
    },
    edges: agentEdges,
  };
}

async function runOuter(
  script: Script,
  saved: Record<string, WorkflowDocument>,
  options: { approve?: boolean; inputs?: JsonObject } = {},
) {
  const model = scriptedModel(script);
  const check = {
    name: "check",
    description: "",
    parameters: { type: "object" },
    approval: "ask" as const,
    execute: () => Promise.resolve({ ok: true as const, output: "checked" }),
  };
  const nodes = [approval, chatTrigger, manualTrigger, aiAgent, setFields, workflowTool, modelNodeOf("m", model)];
  const registry = Object.fromEntries([...nodes, toolNodeOf("check", check)].map((node) => [node.type, node]));
  const host = testHost({ workflows: saved });
  const document = buildWorkflow(
    outer({
      workflow: "inner",
      ...(options.approve ? { approval: "ask" } : {}),
      ...(options.inputs ? { inputs: options.inputs } : {}),
    }),
  );
  const run = await runToEnd(document, { registry, host, input: { message: "Hi", sessionId: "s1" } });
  return { run, model, host };
}

const call = (args: JsonObject, name = "helper") => ({ calls: [{ name, arguments: args }] });

const fields = (values: JsonObject) => ({ fields: values, keepInput: false });

const addressBook = buildWorkflow({
  id: "inner",
  name: "Address book",
  nodes: {
    start: ["manual-trigger", { input: { city: "Bonn", limit: 3, tags: ["a"], empty: "" } }],
    set: ["set-fields", fields({ found: "{{json.city}} {{json.limit}}" })],
  },
  edges: ["start.main -> set.main"],
});

describe("workflow-tool", () => {
  it("makes the keys of a manual trigger's input the parameters and runs with them over the stored ones", async () => {
    const { run, model } = await runOuter([call({ city: "Trier" }), { text: "Done." }], { inner: addressBook });
    expect(model.requests[0]?.tools[0]?.parameters).toEqual({
      type: "object",
      properties: {
        city: { type: "string", description: "Such as Bonn" },
        limit: { type: "integer", description: "Such as 3" },
        tags: { type: "array", items: { type: "string" }, description: 'Such as ["a"]' },
        empty: { type: "string" },
      },
      required: [],
      additionalProperties: false,
    });
    expect(run.of("tool-call-end")[0]).toMatchObject({ ok: true, output: { found: "Trier 3" } });
    expect(run.end.outcome).toBe("completed");
  });

  it("keeps what is fixed from the model, and runs with it", async () => {
    const inputs = { city: "{{json.message}}", extra: true };
    const script = [call({ limit: 5, city: "Trier" }), { text: "Done." }];
    const { run, model } = await runOuter(script, { inner: addressBook }, { inputs });
    expect(Object.keys(model.requests[0]?.tools[0]?.parameters["properties"] ?? {})).toEqual([
      "limit",
      "tags",
      "empty",
    ]);
    const retried = await runOuter([call({ limit: 5 }), { text: "Done." }], { inner: addressBook }, { inputs });
    expect(retried.run.of("tool-call-end")[0]).toMatchObject({ ok: true, output: { found: "Hi 5" } });
    expect(JSON.stringify(run.of("tool-call-end")[0])).not.toContain("Trier 5");
  });

  it("asks for each call of a workflow with an approval anew, at its own node", async () => {
    const asking = buildWorkflow({
      id: "inner",
      name: "Release",
      nodes: {
        start: ["manual-trigger", { input: { what: "" } }],
        ask: ["approval", { message: "{{json.what}}?" }, "Ask"],
      },
      edges: ["start.main -> ask.main"],
    });
    const turn = {
      calls: ["a", "b"].map((what) => ({ name: "helper", arguments: { what } })),
    };
    const { run, host } = await runOuter([turn, { text: "Done." }], { inner: asking });
    expect(host.approvals.map(({ message, toolNodeId }) => [message, toolNodeId]).toSorted()).toEqual([
      ["a?", "tool"],
      ["b?", "tool"],
    ]);
    expect(new Set(host.approvals.map(({ callId }) => callId)).size).toBe(2);
    expect(run.of("approval-wait").map(({ nodeId }) => nodeId)).toEqual(["tool/ask", "tool/ask"]);
  });

  const innerAgent = buildWorkflow({
    id: "inner",
    name: "Helper",
    nodes: { start: ["chat-trigger"], agent: ["ai-agent"], model: ["m"], tool: ["check"] },
    edges: agentEdges,
  });

  it("runs an agent's workflow with the message, gives its answer, and nests its events under the call", async () => {
    const script: Script = [
      call({ message: "Look it up" }),
      { calls: [{ name: "check", arguments: {} }], usage: { inputTokens: 5, outputTokens: 2 } },
      { text: "Found it.", usage: { inputTokens: 3, outputTokens: 1 } },
      { text: "All done." },
    ];
    const { run, model, host } = await runOuter(script, { inner: innerAgent });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "user" });
    const outerCall = run.of("tool-call-start").find(({ toolName }) => toolName === "helper");
    const outerEnd = run.of("tool-call-end").find(({ toolName }) => toolName === "helper");
    expect(outerEnd?.output).toBe("Found it.");
    const nested = run.events.filter(({ parentCallId }) => parentCallId === outerCall?.callId);
    expect(nested.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["node-start", "model-request", "tool-call-start", "model-response", "node-end"]),
    );
    expect(run.of("tool-call-start").find(({ toolName }) => toolName === "check")).toMatchObject({
      nodeId: "tool/agent",
      toolNodeId: "tool/tool",
      parentCallId: outerCall?.callId,
    });
    expect(host.approvals).toMatchObject([{ nodeId: "tool", toolName: "check" }]);
    expect(run.events.map(({ seq }) => seq)).toEqual(run.events.map((_, index) => index));
    expect(run.events.every(({ runId }) => runId === run.end.runId)).toBe(true);
    expect(run.end.usage).toMatchObject({ inputTokens: 28, outputTokens: 13 });
    expect(run.of("node-end").find(({ nodeId }) => nodeId === "agent")?.output).toMatchObject({
      metadata: { usage: { inputTokens: 28, outputTokens: 13 } },
    });
  });

  it("keeps nodes of the inner workflow apart from those of the same id", async () => {
    const broken = buildWorkflow({
      id: "inner",
      name: "Broken",
      nodes: { start: ["manual-trigger"], agent: ["set-fields", fields({ x: "{{json.missing}}" })] },
      edges: ["start.main -> agent.main"],
    });
    const { run, model } = await runOuter([call({}), { text: "Sorry." }], { inner: broken });
    const last = model.requests[1]?.messages.at(-1);
    expect(last && messageText(last)).toContain('"Broken" failed');
    const state = reduceRunAll(emptyRunState(run.end.runId), run.events);
    expect(state.nodes["agent"]?.status).toBe("done");
    expect(state.nodes["tool/agent"]?.status).toBe("failed");
    expect(run.end.outcome).toBe("completed");
  });

  it("stops workflows that call each other without end, five deep", async () => {
    const inner = buildWorkflow(outer({ workflow: "inner" }, "inner"));
    const script: Script = (request) =>
      request.messages.at(-1)?.role === "tool" ? { text: "Back." } : call({ message: "Deeper" });
    const { run } = await runOuter(script, { inner });
    const starts = run.of("tool-call-start");
    expect(starts.length).toBe(6);
    expect(new Set(starts.map(({ callId }) => callId)).size).toBe(6);
    expect(run.of("tool-call-end").filter(({ ok }) => !ok)).toMatchObject([
      { text: expect.stringContaining("at most 5 levels deep") },
    ]);
    expect(run.end.outcome).toBe("completed");
  });

  it("says what is wrong before the run goes on: no such workflow, or one without a trigger", async () => {
    const missing = await runOuter([{ text: "x" }], {});
    expect(missing.run.end.error?.message).toContain("inner");
    const bare = buildWorkflow({ id: "inner", name: "Bare", nodes: {} });
    const { run } = await runOuter([{ text: "x" }], { inner: bare });
    expect(run.end.error).toMatchObject({ message: expect.stringContaining('"Bare" has no trigger') });
  });

  it("S56 Stop reaches the inner run, and nothing is written after", async () => {
    const controller = new AbortController();
    const model = scriptedModel([call({ message: "Wait" }), { hang: true }]);
    const nodes = [chatTrigger, aiAgent, workflowTool, modelNodeOf("m", model), toolNodeOf("check")];
    const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
    const host = testHost({ workflows: { inner: innerAgent } });
    const document = buildWorkflow(outer({ workflow: "inner" }));
    const started = runToEnd(document, { registry, host, input: { message: "Hi" }, signal: controller.signal });
    while (model.requests.length < 2) await new Promise((resolve) => queueMicrotask(() => resolve(null)));
    controller.abort();
    const run = await started;
    expect(run.end.outcome).toBe("cancelled");
    expect(model.aborted).toBe(1);
    expect(run.events.at(-1)?.type).toBe("run-end");
  });
});
