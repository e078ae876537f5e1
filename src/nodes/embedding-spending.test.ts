import { describe, expect, it } from "vitest";
import type { JsonObject } from "../engine/json.ts";
import type { RunEvent } from "../engine/run/events.ts";
import { reduceRunAll } from "../engine/run/reduce-run.ts";
import { emptyRunState } from "../engine/run/run-state.ts";
import { buildWorkflow } from "../engine/testing/build-workflow.ts";
import { knowledgeStore } from "../engine/in-memory/knowledge-store.ts";
import { realSleep } from "../engine/testing/real-sleep.ts";
import { runToEnd } from "../engine/testing/run-to-end.ts";
import { startNode } from "../engine/testing/sample-nodes.ts";
import { type ScriptedTurn, scriptedModel } from "../engine/testing/scripted-model.ts";
import { modelNodeOf } from "../engine/testing/service-node.ts";
import { testHost } from "../engine/testing/test-host.ts";
import { aiAgent } from "./agent/ai-agent.ts";
import { vectorMemory } from "./memories/vector-memory.ts";
import { knowledgeBaseTool } from "./tools/knowledge-base-tool.ts";

const million = 1_000_000;

/** Counts a million tokens per request, or none, as servers that only speak the API may. */
function vendor(counts: boolean) {
  return async (_connection: unknown, _input: unknown, init?: RequestInit): Promise<Response> => {
    const { input } = JSON.parse(String(init?.body)) as { input: string[] };
    const data = input.map((_text, index) => ({ object: "embedding", index, embedding: [1, 0] }));
    const usage = { prompt_tokens: million, total_tokens: million };
    return Response.json({ object: "list", data, model: "m", ...(counts ? { usage } : {}) });
  };
}

const search = { calls: [{ name: "knowledge_base_search", arguments: { query: "lamp" } }] };

interface Setting {
  script?: ScriptedTurn[];
  agent?: JsonObject;
  /** Which of the two embeds. */
  service?: "tool" | "memory";
  model?: string;
  counts?: boolean;
}

/** A run whose agent has a knowledge base, or a vector memory, with vectors of OpenAI. */
async function runAgentWith(setting: Setting = {}) {
  const { script = [search, { text: "Done." }], agent = {}, service = "tool", counts = true } = setting;
  const { model: name = "text-embedding-3-small" } = setting;
  const usage = { inputTokens: 100, outputTokens: 10 };
  const price = { input: 1, output: 2 };
  const model = scriptedModel(
    script.map((turn) => ({ ...turn, usage })),
    { price },
  );
  const document = buildWorkflow({
    nodes: {
      start: ["start"],
      agent: ["ai-agent", agent],
      model: ["m"],
      docs: ["knowledge-base-tool", { collection: "handbook", minScore: 0 }],
      memory: ["vector-memory", { provider: "openai", credential: "c", embeddingModel: name }],
    },
    edges: [
      "start.main -> agent.main",
      "model.model -> agent.model",
      service === "tool" ? "docs.tool -> agent.tools" : "memory.memory -> agent.memory",
    ],
  });
  const nodes = [startNode, aiAgent, modelNodeOf("m", model), knowledgeBaseTool, vectorMemory];
  const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const embedding = { provider: "openai", model: name, credential: "c" };
  const knowledge = knowledgeStore([{ id: "handbook", name: "Handbook", embedding, dimension: 2, chunks: [] }]);
  const world = testHost({ knowledge, fetch: vendor(counts) });
  // The virtual clock would not wait for the vendor's code to load.
  const host = { ...world, sleep: realSleep };
  const run = await runToEnd(document, { registry, host, input: { message: "Hi" } });
  return { ...run, asked: model.requests.length };
}

const embeddingsOf = (events: readonly RunEvent[]) => events.filter((event) => event.type === "embedding");

describe("what embeddings of a run take", () => {
  it.each(["tool", "memory"] as const)("is told, and counts in the run's usage and cost: %s", async (service) => {
    const script = service === "tool" ? [search, { text: "Done." }] : [{ text: "Done." }];
    const { events, end } = await runAgentWith({ service, script });
    const [told, ...others] = embeddingsOf(events);
    expect(others).toEqual([]);
    expect(told).toMatchObject({
      nodeId: service === "tool" ? "docs" : "memory",
      provider: "openai",
      model: "text-embedding-3-small",
      texts: service === "tool" ? 1 : 2,
      usage: { inputTokens: million, outputTokens: 0 },
      estimated: false,
      costUsd: 0.02,
    });
    const answers = events.filter((event) => event.type === "model-response");
    const ofModel = answers.reduce((sum, event) => sum + (event.usage?.inputTokens ?? 0), 0);
    expect(end.usage.inputTokens).toBe(million + ofModel);
    const dollars = answers.reduce((sum, event) => sum + (event.costUsd ?? 0), 0);
    expect(end.costUsd).toBeCloseTo(0.02 + dollars, 9);
    expect(end.output).toMatchObject({ metadata: { usage: { inputTokens: end.usage.inputTokens } } });
    // A reader of the events comes to the same, before the end as well.
    const seen = reduceRunAll(
      emptyRunState(end.runId),
      events.filter((event) => event.type !== "run-end"),
    );
    expect(seen.usage).toEqual(end.usage);
    expect(seen.costUsd).toBeCloseTo(end.costUsd ?? 0, 9);
    expect(seen.nodes[told?.nodeId ?? ""]?.usage?.inputTokens).toBe(million);
  });

  it("stands inside the tool call that asked for it", async () => {
    const { events } = await runAgentWith();
    const call = events.find((event) => event.type === "tool-call-start");
    expect(embeddingsOf(events)[0]?.parentCallId).toBe(call?.callId);
  });

  it.each<JsonObject>([{ maxTotalTokens: million }, { maxCostUsd: 0.015 }])(
    "spends the agent's budget: %j",
    async (agent) => {
      const { end, asked } = await runAgentWith({ agent, script: [search, search, search, { text: "Done." }] });
      expect(asked).toBe(1);
      expect(end.output).toMatchObject({ metadata: { finishReason: "budget" } });
    },
  );

  it("is estimated where the vendor does not count, and its cost unknown where the price is", async () => {
    const { events, end } = await runAgentWith({ counts: false, model: "text-embedding-of-tomorrow" });
    const [told] = embeddingsOf(events);
    expect(told).toMatchObject({ estimated: true, costUsd: null });
    expect(told?.usage.inputTokens).toBeGreaterThan(0);
    expect(end.costUsd).toBeNull();
  });
});
