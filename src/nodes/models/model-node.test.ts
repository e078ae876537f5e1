import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { describeFields } from "../../engine/config/describe-fields.ts";
import { exposureOf } from "../../engine/document/exposure.ts";
import type { JsonObject } from "../../engine/json.ts";
import { defineProvider } from "../../engine/model/provider.ts";
import { field } from "../../engine/config/field.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode } from "../../engine/testing/sample-nodes.ts";
import { scriptedModel } from "../../engine/testing/scripted-model.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { demoProvider } from "../../providers/demo.ts";
import { aiAgent } from "../agent/ai-agent.ts";
import { nodeRegistry } from "../index.ts";
import { modelNode } from "./model-node.ts";

const created: { model: string; warmth: number; credential: string }[] = [];

const acme = defineProvider({
  id: "acme",
  nodeType: "acme-model",
  title: "Acme",
  summary: "For tests.",
  keywords: [],
  icon: "box",
  credentialTypes: ["openai"],
  reach: [{ to: "model" }],
  config: z.object({
    warmth: field(z._default(z.number().check(z.minimum(0), z.maximum(2)), 0.7), {
      label: "Warmth",
      help: "For tests.",
    }),
  }),
  suggestedModels: ["acme-1", "acme-2"],
  listModels: () => Promise.resolve([]),
  create({ model, warmth }, { credential }) {
    created.push({ model, warmth, credential });
    return scriptedModel([{ text: "Hi", usage: { inputTokens: 1_000_000, outputTokens: 100_000 } }], {
      provider: "acme",
      modelId: model,
    });
  },
});

async function run(config: JsonObject) {
  const document = buildWorkflow({
    nodes: { start: ["start"], agent: ["ai-agent"], model: ["acme-model", config] },
    edges: ["start.main -> agent.main", "model.model -> agent.model"],
  });
  const registry = { start: startNode, "ai-agent": aiAgent, "acme-model": modelNode(acme) };
  return runToEnd(document, { registry, host: testHost(), input: { message: "Hello" } });
}

describe("modelNode", () => {
  it("gives a provider's model with its settings, model name and credential", async () => {
    const { end } = await run({ credential: "cred-1", model: "any-name", warmth: 1.5 });
    expect(end).toMatchObject({ outcome: "completed", output: { response: "Hi" }, costUsd: null });
    expect(created.at(-1)).toEqual({ model: "any-name", warmth: 1.5, credential: "cred-1" });
  });

  it("takes the first suggested model and the provider's defaults", async () => {
    await run({ credential: "cred-1" });
    expect(created.at(-1)).toEqual({ model: "acme-1", warmth: 0.7, credential: "cred-1" });
  });

  it("lets the user's prices win", async () => {
    const { end } = await run({ credential: "cred-1", inputPrice: 2, outputPrice: 10 });
    expect(end).toMatchObject({ costUsd: 3, output: { metadata: { costUsd: 3 } } });
  });

  it("says so when only one price is given, which counts for nothing", async () => {
    const { check } = modelNode(acme);
    expect(check?.({ inputPrice: 2 }, {})).toMatchObject([{ field: "outputPrice", severity: "warning" }]);
    expect(check?.({ inputPrice: null, outputPrice: 0 }, {})).toMatchObject([{ field: "inputPrice" }]);
    expect(check?.({ inputPrice: 0, outputPrice: 0 }, {})).toEqual([]);
    expect(check?.({}, {})).toEqual([]);
    expect((await run({ credential: "cred-1", inputPrice: 2 })).end.costUsd).toBeNull();
  });

  it("asks for a credential where the provider needs one", async () => {
    const { end } = await run({});
    expect(end).toMatchObject({ outcome: "failed", error: { nodeId: "model" } });
    const names = describeFields(modelNode(acme).config).map((each) => each.name);
    expect(names).toEqual(["credential", "model", "warmth", "inputPrice", "outputPrice"]);
  });

  it("asks for none where it needs none", () => {
    const names = describeFields(modelNode(demoProvider).config).map((each) => each.name);
    expect(names).not.toContain("credential");
    expect(names).toContain("model");
  });
});

describe("a model whose vendor lets it read the web", () => {
  it.each<[string, JsonObject]>([
    ["openai-model", { webSearch: true }],
    ["anthropic-model", { webSearch: true }],
    ["gemini-model", { googleSearch: true }],
    ["gemini-model", { urlContext: true }],
  ])("S49 %s with %j brings untrusted input, and none without", (type, config) => {
    const definition = nodeRegistry[type];
    if (!definition) throw new Error(`There is no ${type}.`);
    expect(exposureOf(definition, config)).toEqual(["untrusted-input"]);
    expect(exposureOf(definition, {})).toEqual([]);
  });
});
