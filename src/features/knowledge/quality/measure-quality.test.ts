import { expect, it } from "vitest";
import { type KeptCollection, knowledgeStore } from "../../../engine/in-memory/knowledge-store.ts";
import { realSleep } from "../../../engine/testing/real-sleep.ts";
import { testHost } from "../../../engine/testing/test-host.ts";
import { noRerank, type RerankFields } from "../../../nodes/knowledge/rerank-fields.ts";
import { embedWords } from "../../../providers/demo/embeddings.ts";
import type { CollectionSummary } from "../../../services/knowledge.ts";
import type { StoredQuestion } from "../../../services/retrieval-quality.ts";
import { measureQuality, requestsOf } from "./measure-quality.ts";

const texts = ["A lamp can be returned within 30 days.", "Parcels take two working days.", "A lamp needs one bulb."];
const demo = { provider: "demo", model: "words-256", credential: "" };
const vectors = embedWords(texts);

const collectionWith = (embedding: CollectionSummary["embedding"]): CollectionSummary => ({
  id: "c",
  name: "Handbook",
  description: "",
  embedding,
  dimension: embedding === null ? null : 256,
  chunking: { size: 800, overlap: 100 },
  language: null,
  searchMode: null,
  documents: 1,
  chunks: texts.length,
  createdAt: "",
  updatedAt: "",
});

const kept = ({ id, name, embedding, dimension }: CollectionSummary): KeptCollection => ({
  id,
  name,
  embedding,
  dimension,
  chunks: texts.map((content, position) => ({
    chunkId: `chunk-${position}`,
    content,
    metadata: { documentId: "d", document: "shop.md", heading: "", position },
    ...(embedding ? { embedding: vectors[position] } : {}),
  })),
});

const questions: StoredQuestion[] = [
  {
    id: "1",
    question: "Until when can a lamp be returned?",
    passages: [{ document: "shop.md", quote: texts[0] ?? "" }],
  },
  { id: "2", question: "Who founded it?", passages: [{ document: "shop.md", quote: "Nobody wrote these words." }] },
];

const cohere: RerankFields = { ...noRerank, rerank: "cohere", rerankCredential: "k", rerankModel: "r", rerankPrice: 2 };

interface Setting {
  embedding?: CollectionSummary["embedding"];
  rerank?: RerankFields;
  answer?: () => Response;
  signal?: AbortSignal;
  asked?: readonly StoredQuestion[];
}

/** Puts the passages into the opposite order. */
const reversed = () =>
  Response.json({
    results: [2, 1, 0].map((index, at) => ({ index, relevance_score: 1 - at / 10 })),
    meta: { billed_units: { search_units: 1 } },
  });

function measure({ embedding = null, rerank = noRerank, answer = reversed, asked = questions, ...rest }: Setting = {}) {
  const collection = collectionWith(embedding);
  const progress: string[] = [];
  const host = {
    ...testHost({ knowledge: knowledgeStore([kept(collection)]), fetch: () => Promise.resolve(answer()) }),
    sleep: realSleep,
  };
  const measured = measureQuality(
    { createHost: () => host },
    {
      collection,
      questions: asked,
      rerank,
      signal: rest.signal ?? new AbortController().signal,
      onProgress: (done, of) => progress.push(`${done}/${of}`),
    },
  );
  return { measured, progress };
}

it("searches by keyword alone where a collection has no embeddings", async () => {
  const { measured, progress } = measure();
  expect(await measured).toEqual({
    questions: questions.map(({ question }) => question),
    ways: [{ mode: "keyword", rerank: null, ranks: [[1], [null]] }],
    costUsd: 0,
    documents: 1,
    chunks: 3,
    embedding: null,
    chunking: { size: 800, overlap: 100 },
  });
  expect(progress).toEqual(["1/2", "2/2"]);
});

it("searches in every mode where there are embeddings", async () => {
  const { ways, embedding } = await measure({ embedding: demo }).measured;
  expect(embedding).toBe("words-256");
  expect(ways.map(({ mode, ranks }) => [mode, ranks[0]])).toEqual([
    ["keyword", [1]],
    ["hybrid", [1]],
    ["semantic", [1]],
  ]);
});

it("measures with and without reranking, and counts what that costs", async () => {
  const { ways, costUsd } = await measure({ embedding: demo, rerank: cohere }).measured;
  expect(ways.map(({ mode, rerank }) => `${mode} ${rerank}`)).toEqual([
    "keyword null",
    "hybrid null",
    "semantic null",
    "keyword r",
    "hybrid r",
    "semantic r",
  ]);
  expect(ways[2]?.ranks[0]).toEqual([1]);
  expect(ways[5]?.ranks[0]).toEqual([3]);
  expect(costUsd).toBeGreaterThan(0);
});

it("says before how many requests that takes", () => {
  expect(requestsOf(collectionWith(null), 120, noRerank)).toEqual({ embedding: 0, rerank: 0 });
  expect(requestsOf(collectionWith(demo), 120, noRerank)).toEqual({ embedding: 3, rerank: 0 });
  expect(requestsOf(collectionWith(demo), 120, cohere)).toEqual({ embedding: 3, rerank: 360 });
});

it("fails as a whole where reranking fails, instead of measuring without it", async () => {
  const answer = () => Response.json({ message: "Wrong key." }, { status: 401 });
  await expect(measure({ embedding: demo, rerank: cohere, answer }).measured).rejects.toMatchObject({
    data: { code: "invalid_credentials" },
  });
});

it("fails where there is nothing to ask or no credential for the vectors, and stops when told to", async () => {
  await expect(measure({ asked: [] }).measured).rejects.toThrow("no questions");
  const openai = { provider: "openai", model: "text-embedding-3-small", credential: "" };
  await expect(measure({ embedding: openai }).measured).rejects.toThrow("No credential signs");
  const stopped = AbortSignal.abort(new Error("Stopped by the person."));
  await expect(measure({ signal: stopped }).measured).rejects.toThrow("Stopped by the person.");
});
