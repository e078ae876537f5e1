import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { exposureOf } from "../../engine/document/exposure.ts";
import type { JsonObject } from "../../engine/json.ts";
import type { KnowledgeEmbedding, KnowledgeQuery } from "../../engine/knowledge/knowledge.ts";
import { messageText } from "../../engine/model/message.ts";
import { RunError } from "../../engine/errors.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { type KeptCollection, knowledgeStore } from "../../engine/in-memory/knowledge-store.ts";
import { realSleep } from "../../engine/testing/real-sleep.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode } from "../../engine/testing/sample-nodes.ts";
import { scriptedModel } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { embedWords } from "../../providers/demo/embeddings.ts";
import { aiAgent } from "../agent/ai-agent.ts";
import { citationsIn } from "../knowledge/citations.ts";
import { knowledgeBaseTool } from "./knowledge-base-tool.ts";

const place = z.looseObject({ page: z.number() });
const pieces = [
  { heading: "Returns", content: "A lamp can be returned within 30 days." },
  { heading: "Shipping", content: "Parcels take two working days." },
  { heading: "Returns › Refund", content: "The money for a returned lamp comes back after five days." },
];
const demo: KnowledgeEmbedding = { provider: "demo", model: "words-256", credential: "" };

function handbook(embedding: KnowledgeEmbedding | null, dimension: number | null = embedding && 256): KeptCollection {
  const vectors = embedWords(pieces.map(({ heading, content }) => `${heading} ${content}`));
  return {
    id: "handbook",
    name: "Handbook",
    embedding,
    dimension,
    chunks: pieces.map(({ heading, content }, position) => ({
      chunkId: `chunk-${position}`,
      content,
      metadata: { documentId: "document", document: "shop.md", heading, position, page: position + 1 },
      ...(embedding ? { embedding: vectors[position] } : {}),
    })),
  };
}

/** One agent that makes this search; gives its result and what the model read. */
async function search(config: JsonObject, input: JsonObject, collection = handbook(null), failures: unknown[] = []) {
  const model = scriptedModel([{ calls: [{ name: "knowledge_base_search", arguments: input }] }, { text: "Done." }]);
  const document = buildWorkflow({
    nodes: {
      start: ["start"],
      agent: ["ai-agent"],
      model: ["m"],
      docs: ["knowledge-base-tool", { collection: "handbook", ...config }],
    },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "docs.tool -> agent.tools"],
  });
  const nodes = [startNode, aiAgent, modelNodeOf("m", model), knowledgeBaseTool];
  const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const refused = () => Promise.resolve(Response.json({ error: { message: "Wrong key." } }, { status: 401 }));
  const store = knowledgeStore([collection]);
  const knowledge = {
    ...store,
    search: (query: KnowledgeQuery) => (failures.length > 0 ? Promise.reject(failures.shift()) : store.search(query)),
  };
  const world = testHost({ knowledge, fetch: refused });
  // The virtual clock would not wait for the vendor's code to load.
  const host = { ...world, sleep: realSleep };
  const run = await runToEnd(document, { registry, host, input: { message: "Hi" } });
  const last = model.requests[1]?.messages.at(-1);
  return {
    offered: model.requests[0]?.tools[0],
    result: run.of("tool-call-end")[0],
    read: last && messageText(last),
    error: run.of("node-error")[0]?.error ?? run.end.error,
    logs: run.of("log"),
    warnings: run.of("warning"),
    retries: run.of("retry"),
  };
}

describe("knowledge-base-tool", () => {
  it("offers query and limit, and gives content, score and where it stands", async () => {
    const { offered, result, read } = await search({ minScore: 0.6, topK: 8 }, { query: "When can I return a lamp?" });
    expect(offered).toMatchObject({
      name: "knowledge_base_search",
      parameters: { required: ["query"], properties: { query: { type: "string" }, limit: { maximum: 8 } } },
    });
    expect(result).toMatchObject({
      ok: true,
      output: {
        collection: "Handbook",
        mode: "keyword",
        results: [
          {
            content: pieces[0]?.content,
            metadata: { document: "shop.md", heading: "Returns", position: 0, page: 1, chunkId: "chunk-0" },
          },
          { metadata: { position: 2 } },
        ],
      },
    });
    expect(read).toContain("within 30 days");
    expect(citationsIn([result?.output ?? null]).map(({ position }) => position)).toEqual([0, 2]);
  });

  it("gives the parent of a chunk once, and cites the chunk", async () => {
    const lead = (index: number) => ({ parent: { first: 0, lead: index === 0 ? "" : "\n\n" } });
    const { chunks, ...shop } = handbook(null);
    const parents = { ...shop, chunks: chunks.map((chunk, index) => ({ ...chunk, ...lead(index) })) };
    const { result, read } = await search({ minScore: 0.5 }, { query: "money for a returned lamp" }, parents);
    expect(result).toMatchObject({
      output: { results: [{ content: pieces.map(({ content }) => content).join("\n\n"), metadata: { page: 3 } }] },
    });
    expect(read).toContain("Parcels take two working days.");
    expect(citationsIn([result?.output ?? null]).map(({ chunkId }) => chunkId)).toEqual(["chunk-2"]);
  });

  it("gives at most as many as the model asks for, and never more than the node allows", async () => {
    const count = async (topK: number, input: JsonObject) => {
      const { result } = await search({ topK, minScore: 0 }, { query: "lamp days returned", ...input });
      const output = result?.output;
      return citationsIn(output === undefined ? [] : [output]).length;
    };
    expect(await count(5, { limit: 1 })).toBe(1);
    expect(await count(2, {})).toBe(2);
    expect((await search({ topK: 2 }, { query: "lamp", limit: 3 })).result).toMatchObject({ ok: false });
  });

  it("searches again where another attempt may help, as often as it is told to", async () => {
    const away = (retryable: boolean) =>
      new RunError({ code: "tool_error", message: "The database is away.", hint: "Try again.", retryable });
    const query = { query: "When can I return a lamp?" };
    const again = { retries: 1, retryDelayMs: 100, minScore: 0 };
    const helped = await search(again, query, handbook(null), [away(true)]);
    expect([helped.result?.ok, helped.retries.length]).toEqual([true, 1]);
    const failures: [JsonObject, RunError[], number][] = [
      [again, [away(true), away(true)], 1],
      [again, [away(false)], 0],
      [{ minScore: 0 }, [away(true)], 0],
    ];
    for (const [config, thrown, times] of failures) {
      const { result, read, retries } = await search(config, query, handbook(null), thrown);
      expect([result?.ok, retries.length]).toEqual([false, times]);
      expect(read).toContain("The database is away.");
    }
  });

  it("searches only passages of the place that the author or the model names", async () => {
    const question = "When can I return a lamp?";
    const pages = async (filter: JsonObject, input: JsonObject = {}) => {
      const found = await search({ minScore: 0, filter }, { query: question, ...input });
      const { results } = z
        .object({ results: z.array(z.looseObject({ metadata: place })) })
        .parse(found.result?.output);
      return { ...found, pages: results.map(({ metadata }) => metadata.page) };
    };
    expect((await pages({ page: "3" })).pages).toEqual([3]);
    expect((await pages({ document: "shop.md", page: "{{1 + 2}}", row: "" })).pages).toEqual([3]);
    const none = await pages({ document: "other.md" });
    expect(none.pages).toEqual([]);
    expect(none.read).toContain('among passages with document = \\"other.md\\" scores');
    const byModel = { page: '{{ai("page", "which page", "integer")}}' };
    const chosen = await pages(byModel, { page: 1 });
    expect(chosen.pages).toEqual([1]);
    expect(chosen.offered?.parameters).toMatchObject({
      required: ["query", "page"],
      properties: { query: {}, limit: {}, page: { type: "integer", description: "which page" } },
    });
  });

  describe("by metadata", () => {
    const described = {
      ...handbook(null),
      chunks: handbook(null).chunks.map((chunk, index) => ({
        ...chunk,
        metadata: {
          ...chunk.metadata,
          documentId: `document-${index}`,
          team: index === 1 ? "support" : "sales",
          year: 2023 + index,
        },
      })),
    };
    const filtered = async (config: JsonObject, input: JsonObject = {}, collection: KeptCollection = described) => {
      const asked = { query: "When can I return a lamp? Parcels" };
      const ran = await search({ minScore: 0, modelFilters: true, ...config }, { ...asked, ...input }, collection);
      const output = ran.result?.output;
      return {
        ...ran,
        positions: citationsIn(output === undefined ? [] : [output])
          .map(({ position }) => position)
          .toSorted(),
      };
    };

    it("tells the model the fields, not their values, and searches what it asks for", async () => {
      const { offered, positions } = await filtered({}, { filter: 'team = "sales" and year >= 2025' });
      expect(positions).toEqual([2]);
      const told = JSON.stringify(offered?.parameters);
      expect(told).toContain("team (text), year (number)");
      expect(told).not.toContain("support");
    });

    it("never shows the model more than the author's filter does", async () => {
      const where = 'team = "sales"';
      for (const filter of ['team = "support"', 'team = "support" or year > 0', '") or (year > 0', "not (year < 0)"]) {
        expect((await filtered({ where }, { filter })).positions).not.toContain(1);
        expect((await filtered({ filter: { team: "sales" } }, { filter })).positions).not.toContain(1);
      }
      expect((await filtered({ where }, { filter: "year < 2025" })).positions).toEqual([0]);
    });

    it("tells the model what is wrong with its filter", async () => {
      const { result, read } = await filtered({}, { filter: 'taem = "sales"' });
      expect(result?.ok).toBe(false);
      expect(read).toContain('Did you mean "team"');
    });

    it("takes a value of the author's filter from the model", async () => {
      const where = 'team = {{ai("team", "which team", "string")}}';
      expect((await filtered({ where, modelFilters: false }, { team: "support" })).positions).toEqual([1]);
    });

    it("offers no filter where the author wants none, and where there is nothing to filter by", async () => {
      for (const ran of [await filtered({ modelFilters: false }), await filtered({}, {}, handbook(null))]) {
        expect(ran.offered?.parameters["properties"]).not.toHaveProperty("filter");
      }
      expect((await filtered({ modelFilters: false }, { filter: "year > 0" })).result?.ok).toBe(false);
    });
  });

  it("finding nothing is a result that says what to do", async () => {
    const { result } = await search({}, { query: "penguins of Antarctica" });
    expect(result).toMatchObject({ ok: true, output: { collection: "Handbook", results: [] } });
    expect(JSON.stringify(result?.output)).toContain("Try other words");
  });

  it.each(["semantic", "hybrid"])("searches by meaning where the collection has vectors: %s", async (mode) => {
    const { result } = await search({ mode, minScore: 0.8 }, { query: "money back for a lamp" }, handbook(demo));
    expect(result).toMatchObject({ ok: true, output: { mode, results: [{ metadata: { position: 2 } }] } });
  });

  it("searches as the collection says, where it leaves that to the collection", async () => {
    const modeOf = async (collection: KeptCollection, mode = "collection") =>
      (await search({ mode, minScore: 0.5 }, { query: "lamp" }, collection)).result?.output;
    expect(await modeOf({ ...handbook(demo), searchMode: "semantic" })).toMatchObject({ mode: "semantic" });
    expect(await modeOf({ ...handbook(demo), searchMode: "keyword" })).toMatchObject({ mode: "keyword" });
    expect(await modeOf(handbook(demo))).toMatchObject({ mode: "hybrid" });
    expect(await modeOf({ ...handbook(null), searchMode: "semantic" })).toMatchObject({ mode: "keyword" });
    expect(await modeOf({ ...handbook(demo), searchMode: "keyword" }, "hybrid")).toMatchObject({ mode: "hybrid" });
  });

  it("says in the log that a collection without vectors is searched by keyword", async () => {
    const { logs } = await search({ mode: "hybrid" }, { query: "lamp" });
    expect(logs.map((line) => line.message).join()).toContain("no embeddings");
  });

  it("stops before the run asks a model when the collection is gone", async () => {
    const { error } = await search({ collection: "gone", collectionName: "Old notes" }, { query: "lamp" });
    expect(error).toMatchObject({ code: "invalid_config", nodeId: "docs" });
    expect(error?.message).toContain('"Old notes"');
    expect(error?.hint).toContain("Knowledge page");
  });

  it.each<[string, JsonObject, KeptCollection, string, string]>([
    ["semantic without vectors", { mode: "semantic" }, handbook(null), "invalid_config", "no embeddings"],
    [
      "another model than the collection's",
      { embeddingModel: "text-embedding-3-large" },
      handbook(demo),
      "invalid_config",
      "embedded with words-256",
    ],
    [
      "a provider that this build lacks",
      {},
      handbook({ ...demo, provider: "gone" }),
      "invalid_config",
      'embedded by "gone"',
    ],
    [
      "no credential",
      {},
      handbook({ provider: "openai", model: "text-embedding-3-small", credential: "" }),
      "invalid_credentials",
      "No credential",
    ],
  ])("says what is wrong: %s", async (_name, config, collection, code, words) => {
    const { error } = await search(config, { query: "lamp" }, collection);
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(words);
    expect(error?.hint).not.toBe("");
  });

  it("tells the model when the query's vector has another length than the stored ones", async () => {
    const { result } = await search({}, { query: "lamp" }, handbook(demo, 1536));
    expect(result).toMatchObject({ ok: false });
    expect(JSON.stringify(result?.output)).toContain("1536");
  });

  it("goes on by keyword, with a warning, when the query cannot be embedded in hybrid mode", async () => {
    const openai = { provider: "openai", model: "text-embedding-3-small", credential: "credential" };
    const hybrid = await search({}, { query: "lamp returned" }, handbook(openai));
    expect(hybrid.result).toMatchObject({ ok: true, output: { mode: "keyword" } });
    expect(hybrid.warnings[0]?.message).toContain("searched by keyword");
    const semantic = await search({ mode: "semantic" }, { query: "lamp returned" }, handbook(openai));
    expect(semantic.result).toMatchObject({ ok: false });
  });

  it("names collection, mode and number on its card", () => {
    expect(knowledgeBaseTool.describe?.({})).toBe("Choose a collection");
    const config = { collection: "handbook", collectionName: "Handbook", topK: 3, mode: "keyword" };
    expect(knowledgeBaseTool.describe?.(config)).toBe("Handbook · keyword · 3");
    expect(knowledgeBaseTool.describe?.({ collection: "handbook" })).toBe("A collection · hybrid · 5");
    expect(knowledgeBaseTool.describe?.({ collection: "handbook", mode: "collection" })).toBe("A collection · 5");
  });

  it("is private data that strangers may have written", () => {
    expect(exposureOf(knowledgeBaseTool, {})).toEqual(["private-data", "untrusted-input"]);
  });
});
