import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { nodeRegistry as registry } from "../../nodes/index.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { JsonObject } from "../json.ts";
import { buildWorkflow, type WorkflowSketch } from "../testing/build-workflow.ts";
import { bundleWorkflow } from "./bundle.ts";
import { publishedForm } from "./published-form.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** A chat with an agent that may run other workflows. */
function agentFlow(id: string, tools: readonly string[] = []): WorkflowDocument {
  const nodes: WorkflowSketch["nodes"] = { start: ["chat-trigger"], agent: ["ai-agent"], model: ["demo-model"] };
  for (const [at, workflow] of tools.entries())
    nodes[`tool${at}`] = ["workflow-tool", { workflow, toolName: `run_${at}` }];
  return buildWorkflow({
    id,
    name: `Flow ${id}`,
    nodes,
    edges: [
      "start.main -> agent.main",
      "model.model -> agent.model",
      ...tools.map((_, at) => `tool${at}.tool -> agent.tools`),
    ],
  });
}

function bundle(document: WorkflowDocument, others: readonly WorkflowDocument[] = []) {
  const asked: string[] = [];
  const load = async (id: string) => {
    asked.push(id);
    const found = others.find((one) => one.id === id);
    return found
      ? ({ ok: true, document: found } as const)
      : ({
          ok: false,
          error: { code: "invalid_config", message: "It does not exist.", hint: "Choose another.", retryable: false },
        } as const);
  };
  return bundleWorkflow(document, { registry, workflows: { load }, sha256 }).then((result) => ({ result, asked }));
}

it("takes along every workflow that is run, once, through circles and several levels", async () => {
  const { result, asked } = await bundle(agentFlow("a", ["b", "c"]), [
    agentFlow("b", ["c", "a"]),
    agentFlow("c", ["d"]),
    agentFlow("d"),
  ]);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  expect(Object.keys(result.bundle.workflows).toSorted()).toEqual(["b", "c", "d"]);
  expect(result.bundle.document.id).toBe("a");
  expect(asked).toEqual(["b", "c", "d"]);
  expect(result.bundle.hash).toMatch(/^[0-9a-f]{64}$/);
});

it("does not ask for the workflow of a tool that is turned off", async () => {
  const document = agentFlow("a", ["gone"]);
  if (document.nodes.tool0) document.nodes.tool0.disabled = true;
  const { result, asked } = await bundle(document);
  expect(result.ok).toBe(true);
  expect(asked).toEqual([]);
});

it("names every error with its workflow, and every workflow that is missing", async () => {
  const broken = agentFlow("b");
  delete broken.nodes.model;
  delete broken.edges["model.model -> agent.model"];
  const { result } = await bundle(agentFlow("a", ["b", "gone"]), [broken]);
  if (result.ok) throw new Error("It was taken.");
  expect(result.problems).toMatchObject([
    { workflow: { id: "b", name: "Flow b" }, nodeId: "agent", message: '"agent" needs a model.' },
    {
      workflow: { id: "a", name: "Flow a" },
      nodeId: "tool1",
      message: 'The workflow that "tool1" runs cannot be published with it. It does not exist.',
    },
  ]);
});

it("leaves pins out, and has the same hash for the same content only", async () => {
  const pinned = agentFlow("a");
  if (pinned.nodes.agent) pinned.nodes.agent.pin = { output: { response: "pinned" } };
  const reordered = { ...agentFlow("a"), nodes: Object.fromEntries(Object.entries(agentFlow("a").nodes).toReversed()) };
  const changed = agentFlow("a");
  if (changed.nodes.agent) changed.nodes.agent.config = { systemPrompt: "Be brief." };
  const hashes = await Promise.all(
    [agentFlow("a"), pinned, reordered, changed].map(async (each) => {
      const { result } = await bundle(each);
      if (!result.ok) throw new Error(JSON.stringify(result.problems));
      expect(JSON.stringify(result.bundle)).not.toContain("pinned");
      return result.bundle.hash;
    }),
  );
  expect(hashes[1]).toBe(hashes[0]);
  expect(hashes[2]).toBe(hashes[0]);
  expect(hashes[3]).not.toBe(hashes[0]);
  expect(publishedForm(pinned)).toEqual(publishedForm(agentFlow("a")));
});

it("a change of a workflow that is run along makes another hash", async () => {
  const other = agentFlow("b");
  if (other.nodes.agent) other.nodes.agent.config = { systemPrompt: "Be brief." };
  const [one, two] = await Promise.all([
    bundle(agentFlow("a", ["b"]), [agentFlow("b")]),
    bundle(agentFlow("a", ["b"]), [other]),
  ]);
  if (!one.result.ok || !two.result.ok) throw new Error("Refused.");
  expect(one.result.bundle.hash).not.toBe(two.result.bundle.hash);
});

it("S92 is not made of models without a known price under a limit in money, in whichever workflow they are", async () => {
  const local = (id: string, agent: object = {}, model: object = {}, tools: readonly string[] = []) => {
    const flow = agentFlow(id, tools);
    const nodes = { ...flow.nodes };
    const own = { credential: "c", model: "llama", ...model };
    if (nodes["model"]) nodes["model"] = { ...nodes["model"], type: "openai-compatible-model", config: own };
    if (nodes["agent"]) nodes["agent"] = { ...nodes["agent"], config: { ...nodes["agent"].config, ...agent } };
    return { ...flow, nodes };
  };
  const problems = async (
    document: WorkflowDocument,
    limitsMoney: boolean,
    others: readonly WorkflowDocument[] = [],
  ) => {
    const load = async (id: string) => {
      const found = others.find((one) => one.id === id);
      if (!found) throw new Error(`There is no ${id}.`);
      return { ok: true as const, document: found };
    };
    const made = await bundleWorkflow(document, { registry, workflows: { load }, limitsMoney, sha256 });
    return made.ok ? [] : made.problems.map(({ nodeId, field, workflow }) => [workflow.id, nodeId, field]);
  };
  expect(await problems(local("a"), false)).toEqual([]);
  expect(await problems(local("a"), true)).toEqual([["a", "model", "inputPrice"]]);
  expect(await problems(local("a", {}, { inputPrice: 0, outputPrice: 0 }), true)).toEqual([]);
  expect(await problems(agentFlow("b", ["a"]), true, [local("a")])).toEqual([["a", "model", "inputPrice"]]);
  const step = (type: string, config: JsonObject) =>
    buildWorkflow({
      id: "c",
      nodes: { start: ["manual-trigger"], last: [type, config] },
      edges: ["start.main -> last.main"],
    });
  const groq = { provider: "openai-compatible", credential: "c", model: "whisper" };
  expect(await problems(step("transcribe", groq), true)).toEqual([["c", "last", "pricePerMinute"]]);
  expect(await problems(step("transcribe", { ...groq, pricePerMinute: 0 }), true)).toEqual([]);
  const ranked = { collection: "c", rerank: "cohere", rerankCredential: "c", rerankModel: "rerank-v3.5" };
  expect(await problems(step("search-documents", ranked), true)).toEqual([["c", "last", "rerankPrice"]]);
  expect(await problems(step("search-documents", { ...ranked, rerankPrice: 2 }), true)).toEqual([]);
  // The budget of an agent is a limit, too.
  expect(await problems(local("a", { maxCostUsd: 1 }), false)).toEqual([["a", "model", "inputPrice"]]);
});
