import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { type LoopbackServer, startLoopbackServer } from "../../../e2e/servers/loopback-server.ts";
import { type KeptCollection, knowledgeStore } from "../../engine/in-memory/knowledge-store.ts";
import type { JsonObject } from "../../engine/json.ts";
import { createSpendingLimit } from "../../engine/spending/spending-limit.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { realSleep } from "../../engine/testing/real-sleep.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../../nodes/index.ts";

const lamps = ["Lamps.", "Lamps can be returned.", "Lamps are green.", "Lamps need bulbs."];
const handbook: KeptCollection = {
  id: "handbook",
  name: "Handbook",
  embedding: null,
  dimension: null,
  chunks: lamps.map((content, position) => ({
    chunkId: `chunk-${position}`,
    content,
    metadata: { documentId: "document", document: "lamps.md", heading: position === 1 ? "Returns" : "", position },
  })),
};

let server: LoopbackServer;
let answer: (body: JsonObject) => { status?: number; body: unknown };
beforeEach(async () => {
  server = await startLoopbackServer(({ body }, response) => {
    const { status = 200, body: answered } = answer(body as JsonObject);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(answered));
  });
});
afterEach(() => server.close());

/** Texts as a model with one idea would put them: what is about returning first. */
const places = (texts: readonly string[]) =>
  texts
    .map((text, index) => ({ index, fit: /return/i.test(text) ? 0.9 : 0.1 / (index + 1) }))
    .toSorted((a, b) => b.fit - a.fit);

const texts = z.array(z.string());
const cohere = ({ documents, top_n: limit }: JsonObject) => ({
  id: "07734bd2-2473-4f07-94e1-0d9f0e6843cf",
  results: places(texts.parse(documents))
    .slice(0, Number(limit))
    .map(({ index, fit }) => ({ index, relevance_score: fit })),
  meta: { api_version: { version: "2" }, billed_units: { search_units: 1 } },
});
const jina = ({ documents, top_n: limit }: JsonObject) => ({
  model: "jina-reranker-v2-base-multilingual",
  usage: { total_tokens: 64 },
  results: places(texts.parse(documents))
    .slice(0, Number(limit))
    .map(({ index, fit }) => ({ index, document: { text: lamps[index] }, relevance_score: fit })),
});
const voyage = ({ documents, top_k: limit }: JsonObject) => ({
  object: "list",
  data: places(texts.parse(documents))
    .slice(0, Number(limit))
    .map(({ index, fit }) => ({ index, relevance_score: fit })),
  model: "rerank-2.5",
  usage: { total_tokens: 80 },
});
const tei = ({ texts: given }: JsonObject) =>
  places(texts.parse(given)).map(({ index, fit }) => ({ index, score: fit }));

/** One search for lamps. */
async function search(config: JsonObject, { maxUsd }: { maxUsd?: number } = {}) {
  const host = testHost({
    knowledge: knowledgeStore([handbook]),
    fetch: (_connection, input, init) => {
      const { pathname } = new URL(new Request(input).url);
      return globalThis.fetch(`${server.url}/v2${pathname}`, init);
    },
  });
  const refusal = () => ({ code: "budget" as const, message: "No room.", hint: "", retryable: false });
  const spending = maxUsd === undefined ? {} : { spending: createSpendingLimit({ maxUsd, refusal }) };
  const settings = { collection: "handbook", query: "lamps", topK: 2, minScore: 0.5, ...config };
  const document = buildWorkflow({
    nodes: { start: ["manual-trigger"], step: ["search-documents", settings] },
    edges: ["start.main -> step.main"],
  });
  const run = await runToEnd(document, {
    registry: nodeRegistry,
    // The virtual clock would not wait for the server.
    host: { ...host, sleep: realSleep, ...spending },
    input: {},
  });
  const result = z.looseObject({ content: z.string(), relevance: z.optional(z.number()) });
  const { results } = z.object({ results: z.array(result) }).parse(run.end.output);
  return { run, results, warnings: run.of("warning"), uses: run.of("rerank") };
}

const settings = { rerank: "cohere", rerankCredential: "key-1", rerankModel: "rerank-v3.5" };

describe("reranking what was found", () => {
  it("asks nobody unless it is turned on", async () => {
    const { results, run } = await search({});
    expect(results).toHaveLength(2);
    expect(results[0]).not.toHaveProperty("relevance");
    expect(server.requests).toEqual([]);
    expect(run.end.costUsd).toBe(0);
  });

  it("speaks Cohere's interface, and counts searches at their price", async () => {
    answer = (body) => ({ body: cohere(body) });
    const { results, run, uses } = await search({ ...settings, rerankPrice: 2 });
    expect(server.requests).toMatchObject([
      {
        method: "POST",
        path: "/v2/rerank",
        body: {
          model: "rerank-v3.5",
          query: "lamps",
          top_n: 2,
          documents: expect.arrayContaining(["Returns\n\nLamps can be returned."]),
        },
      },
    ]);
    expect(results[0]).toMatchObject({ content: "Lamps can be returned.", relevance: 0.9 });
    expect(results).toHaveLength(2);
    expect(uses).toMatchObject([
      { nodeId: "step", provider: "cohere", model: "rerank-v3.5", texts: 4, costUsd: 0.002 },
    ]);
    expect(run.end.costUsd).toBeCloseTo(0.002);
  });

  it.each<[string, JsonObject, (body: JsonObject) => unknown, JsonObject, number]>([
    ["Jina", { ...settings, rerankModel: "jina-reranker-v2" }, jina, { top_n: 2 }, 64],
    ["Voyage", { ...settings, rerank: "voyage", rerankModel: "rerank-2.5" }, voyage, { top_k: 2 }, 80],
  ])("speaks the interface of %s, and counts its tokens", async (_name, config, reply, sent, tokens) => {
    answer = (body) => ({ body: reply(body) });
    const { results, run, uses } = await search({ ...config, rerankPrice: 0.05 });
    expect(server.requests[0]?.body).toMatchObject(sent);
    expect(results[0]).toMatchObject({ content: "Lamps can be returned." });
    expect(uses).toMatchObject([{ usage: { inputTokens: tokens }, estimated: false }]);
    expect(run.end.costUsd).toBeCloseTo((tokens * 0.05) / 1e6, 12);
  });

  it("speaks the interface of Text Embeddings Inference, which names no model and gives all texts back", async () => {
    answer = (body) => ({ body: tei(body) });
    const { results, uses, run } = await search({ rerank: "tei", rerankCredential: "key-1" });
    expect(server.requests[0]?.body).toEqual({ query: "lamps", texts: expect.any(Array), truncate: true });
    expect(results).toHaveLength(2);
    expect(results[0]).toMatchObject({ content: "Lamps can be returned." });
    expect(uses).toMatchObject([{ estimated: true, costUsd: null }]);
    expect(run.end.costUsd).toBeNull();
  });

  it("compares as many passages as the settings say", async () => {
    answer = (body) => ({ body: cohere(body) });
    await search({ ...settings, rerankFrom: 3 });
    expect(server.requests[0]?.body).toMatchObject({ documents: { length: 3 } });
  });

  it("keeps the rest in the order of the search where the server ranks fewer", async () => {
    answer = () => ({ body: { results: [{ index: 3, relevance_score: 0.5 }] } });
    const { results } = await search({ ...settings, topK: 3 });
    expect(results).toHaveLength(3);
    expect(results[0]).toMatchObject({ relevance: 0.5 });
    expect(results[1]).not.toHaveProperty("relevance");
  });

  it.each<[string, JsonObject, unknown, RegExp, number?]>([
    ["an error", settings, { message: "invalid api token" }, /could not be reranked.*order of the search/, 401],
    ["something else", settings, { choices: [] }, /no ranking/],
    ["texts that were not sent", settings, { results: [{ index: 9, relevance_score: 1 }] }, /no ranking/],
    ["nothing", settings, { results: [] }, /no ranking/],
  ])(
    "keeps the order of the search, and warns, where the server answers with %s",
    async (_name, config, body, words, status) => {
      answer = () => ({ body, ...(status === undefined ? {} : { status }) });
      const plain = await search({});
      const { results, warnings, uses, run } = await search(config);
      expect(results).toEqual(plain.results);
      expect(warnings).toMatchObject([{ nodeId: "step", message: expect.stringMatching(words) }]);
      expect([uses, run.end.error, run.end.costUsd]).toEqual([[], undefined, 0]);
    },
  );

  it.each<[string, JsonObject, RegExp]>([
    ["no credential", { ...settings, rerankCredential: "" }, /No credential for reranking/],
    ["no model", { ...settings, rerankModel: "" }, /No reranking model/],
  ])("warns of %s, and asks nobody", async (_name, config, words) => {
    const { warnings, results } = await search(config);
    expect(warnings).toMatchObject([{ message: expect.stringMatching(words) }]);
    expect([results.length, server.requests.length]).toEqual([2, 0]);
  });

  it("asks nobody where a spending limit has no room, or the price is not known under one", async () => {
    for (const rerankPrice of [1_000, null]) {
      const { warnings, results } = await search({ ...settings, rerankPrice }, { maxUsd: 0.01 });
      expect([warnings.length, results.length, server.requests.length]).toEqual([1, 2, 0]);
    }
  });
});
