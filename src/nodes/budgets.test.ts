import { describe, expect, it } from "vitest";
import { knowledgeStore } from "../engine/in-memory/knowledge-store.ts";
import type { JsonObject } from "../engine/json.ts";
import { createSpendingLimit } from "../engine/spending/spending-limit.ts";
import { buildWorkflow } from "../engine/testing/build-workflow.ts";
import { runToEnd } from "../engine/testing/run-to-end.ts";
import { startNode } from "../engine/testing/sample-nodes.ts";
import { type Script, scriptedModel } from "../engine/testing/scripted-model.ts";
import { modelNodeOf } from "../engine/testing/service-node.ts";
import { testHost } from "../engine/testing/test-host.ts";
import { nodeRegistry } from "./index.ts";

const dear = { input: 0, output: 1_000 };
const usage = { inputTokens: 0, outputTokens: 100 };
const helper = { calls: [{ name: "helper", arguments: { message: "Help" } }], usage };

const limitOf = (maxUsd: number) =>
  createSpendingLimit({
    maxUsd,
    refusal: () => ({ code: "budget", message: "No room.", hint: "", retryable: false }),
  });

const registryWith = (models: Record<string, ReturnType<typeof scriptedModel>>) => ({
  ...nodeRegistry,
  start: startNode,
  ...Object.fromEntries(Object.entries(models).map(([type, model]) => [type, modelNodeOf(type, model)])),
});

describe("S92 a cost budget holds for all that its agent calls", () => {
  it("an agent that it has as a tool: its calls are booked with both, and end with the caller's", async () => {
    const outer = scriptedModel([helper, { text: "Never.", usage }], { price: dear });
    const inner = scriptedModel([{ text: "Helped.", usage }], { price: dear });
    const document = buildWorkflow({
      nodes: {
        start: ["start"],
        agent: ["ai-agent", { maxCostUsd: 0.21 }],
        helper: ["ai-agent", { toolName: "helper", maxCostUsd: 5 }],
        outer: ["outer"],
        inner: ["inner"],
      },
      edges: [
        "start.main -> agent.main",
        "outer.model -> agent.model",
        "helper.tool -> agent.tools",
        "inner.model -> helper.model",
      ],
    });
    const { end } = await runToEnd(document, {
      registry: registryWith({ outer, inner }),
      host: testHost(),
      input: { message: "Hi" },
    });
    expect(end.output).toMatchObject({ metadata: { finishReason: "budget" } });
    expect([outer, inner].map(({ requests }) => requests.map((one) => one.maxOutputTokens))).toEqual([[210], [110]]);
  });

  it("a workflow that it has as a tool", async () => {
    const outer = scriptedModel([{ calls: [{ name: "helper", arguments: { message: "Help" } }], usage }], {
      price: dear,
    });
    const inner = scriptedModel([{ text: "Helped.", usage }], { price: dear });
    const nested = {
      ...buildWorkflow({
        nodes: { start: ["chat-trigger"], agent: ["ai-agent", {}], inner: ["inner"] },
        edges: ["start.main -> agent.main", "inner.model -> agent.model"],
      }),
      id: "nested",
    };
    const document = buildWorkflow({
      nodes: {
        start: ["start"],
        agent: ["ai-agent", { maxCostUsd: 0.2 }],
        outer: ["outer"],
        flow: ["workflow-tool", { workflow: "nested", toolName: "helper" }],
      },
      edges: ["start.main -> agent.main", "outer.model -> agent.model", "flow.tool -> agent.tools"],
    });
    await runToEnd(document, {
      registry: registryWith({ outer, inner }),
      host: testHost({ workflows: { nested } }),
      input: { message: "Hi" },
    });
    expect(inner.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([100]);
  });

  it("a vector memory, whose vectors are not made where their price is not known", async () => {
    let asked = 0;
    const host = testHost({
      knowledge: knowledgeStore([]),
      fetch: async () => {
        asked += 1;
        return Response.json({ data: [] });
      },
    });
    const model = scriptedModel([{ text: "Hi", usage }], { price: dear });
    const memory = { provider: "openai-compatible", credential: "c", embeddingModel: "local" };
    const run = (more: JsonObject) =>
      runToEnd(
        buildWorkflow({
          nodes: {
            start: ["start"],
            agent: ["ai-agent", { maxCostUsd: 1 }],
            model: ["m"],
            memory: ["vector-memory", { ...memory, ...more }],
          },
          edges: ["start.main -> agent.main", "model.model -> agent.model", "memory.memory -> agent.memory"],
        }),
        { registry: registryWith({ m: model }), host, input: { message: "Hi" } },
      );
    const refused = await run({});
    expect(refused.end.error).toMatchObject({ code: "budget", nodeId: "memory", cause: { field: "embeddingPrice" } });
    expect([asked, model.requests.length]).toEqual([0, 0]);
    const priced = await run({ embeddingPrice: 0 });
    expect(priced.end.outcome).toBe("completed");
  });
});

describe("S92 a model without a known price", () => {
  const withModel = (model: JsonObject, agent: JsonObject) =>
    buildWorkflow({
      nodes: { start: ["start"], agent: ["ai-agent", agent], model: ["openai-compatible-model", model] },
      edges: ["start.main -> agent.main", "model.model -> agent.model"],
    });
  const run = (model: JsonObject, agent: JsonObject) =>
    runToEnd(withModel({ credential: "c", model: "llama", ...model }, agent), {
      registry: registryWith({}),
      host: testHost({ fetch: async () => new Response("{}", { status: 400 }) }),
      input: { message: "Hi" },
    });

  it("keeps a run from starting under a cost budget, and says where its price belongs", async () => {
    const { end, of } = await run({}, { maxCostUsd: 1 });
    expect(end.error).toMatchObject({
      code: "budget",
      nodeId: "model",
      cause: { field: "inputPrice" },
      hint: expect.stringContaining("0 for a server of your own"),
    });
    expect(of("model-request")).toHaveLength(0);
  });

  it.each([
    ["with a price of 0", { inputPrice: 0, outputPrice: 0 }, { maxCostUsd: 1 }],
    ["without a budget", {}, {}],
  ])("is asked %s", async (_name, model, agent) => {
    const { of } = await run(model, agent);
    expect(of("model-request").length).toBeGreaterThan(0);
  });
});

describe("S92 the limit of a host", () => {
  it("holds for a guardrail's model", async () => {
    const script: Script = [{ text: '{"flagged":false,"confidence":1,"reason":""}', usage }];
    const model = scriptedModel(script, { price: dear });
    const document = buildWorkflow({
      nodes: { start: ["start"], guard: ["guardrails", { jailbreak: true }, "Guard"], model: ["m"] },
      edges: ["start.main -> guard.main", "model.model -> guard.model"],
    });
    const run = (maxUsd: number) =>
      runToEnd(document, {
        registry: registryWith({ m: model }),
        host: Object.assign(testHost(), { spending: limitOf(maxUsd) }),
        input: { message: "Hi" },
      });
    expect((await run(0.3)).end.outcome).toBe("completed");
    expect(model.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([300]);
    expect((await run(0.001)).end).toMatchObject({ outcome: "failed", error: { message: "No room." } });
    expect(model.requests).toHaveLength(1);
  });
});
