import { describe, expect, it } from "vitest";
import { testHost } from "../../engine/testing/test-host.ts";
import { batchesOf, embedBatch } from "./embed-batch.ts";
import { embeddingCost } from "./embedding-cost.ts";

const openai = { provider: "openai", model: "text-embedding-3-small", credential: "c" };
const signal = () => new AbortController().signal;

const vectors = () =>
  Response.json({
    object: "list",
    model: openai.model,
    data: [{ object: "embedding", index: 0, embedding: [1, 0] }],
    usage: { prompt_tokens: 1, total_tokens: 1 },
  });
const refusal = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ error: { message: "Not now" } }, { status, headers });

/** A host whose vendor gives these answers in turn, the last one for ever. */
function vendor(...answers: (() => Response)[]) {
  let calls = 0;
  const host = testHost({
    fetch: () => {
      calls += 1;
      return Promise.resolve((answers[calls - 1] ?? answers.at(-1) ?? vectors)());
    },
  });
  return { host, calls: () => calls };
}

describe("embedBatch", () => {
  it("waits as long as the vendor asks and tries again", async () => {
    const { host, calls } = vendor(
      () => refusal(429, { "retry-after": "7" }),
      () => refusal(503),
      vectors,
    );
    const waits: number[] = [];
    const started = host.now();
    const { vectors: found, use } = await embedBatch(["a"], openai, {
      host,
      signal: signal(),
      onRetry: (ms) => waits.push(ms),
    });
    expect(found).toEqual([[1, 0]]);
    expect(use).toMatchObject({ texts: 1, usage: { inputTokens: 1 }, estimated: false });
    expect(calls()).toBe(3);
    expect(waits[0]).toBe(7_000);
    expect(host.now() - started).toBe(waits.reduce((sum, ms) => sum + ms, 0));
  });

  it("gives up after five times, and at once on what will not pass", async () => {
    const busy = vendor(() => refusal(500));
    await expect(embedBatch(["a"], openai, { host: busy.host, signal: signal() })).rejects.toMatchObject({
      data: { retryable: true },
    });
    expect(busy.calls()).toBe(5);
    const wrong = vendor(() => refusal(401));
    await expect(embedBatch(["a"], openai, { host: wrong.host, signal: signal() })).rejects.toMatchObject({
      data: { code: "invalid_credentials" },
    });
    expect(wrong.calls()).toBe(1);
  });

  it("speaks of the embedding model where there is none of that name, not of a node", async () => {
    const { host } = vendor(() => refusal(404));
    const request = embedBatch(["a"], openai, { host, signal: signal() });
    await expect(request).rejects.toMatchObject({
      data: { code: "invalid_config", hint: expect.stringContaining("name of the embedding model") },
    });
  });

  it("stops waiting when it is cancelled", async () => {
    const controller = new AbortController();
    const { host } = vendor(() => refusal(500));
    const embedding = embedBatch(["a"], openai, {
      host,
      signal: controller.signal,
      onRetry: () => controller.abort(new Error("stopped")),
    });
    await expect(embedding).rejects.toThrow("stopped");
  });

  it("says that a provider has no embeddings", async () => {
    const request = embedBatch(["a"], { ...openai, provider: "anthropic" }, { host: testHost(), signal: signal() });
    await expect(request).rejects.toMatchObject({ data: { code: "invalid_config" } });
  });
});

describe("batchesOf", () => {
  it("keeps requests within the number of texts and of tokens, in order", () => {
    const many = Array.from({ length: 130 }, (_, n) => String(n));
    expect(batchesOf(many, (text) => text).map((batch) => batch.length)).toEqual([64, 64, 2]);
    expect(batchesOf(many, (text) => text).flat()).toEqual(many);
    const long = Array.from({ length: 5 }, () => "x".repeat(100_000));
    expect(batchesOf(long, (text) => text).map((batch) => batch.length)).toEqual([2, 2, 1]);
    expect(batchesOf([], String)).toEqual([]);
  });
});

describe("embeddingCost", () => {
  it("follows the price list", () => {
    expect(embeddingCost(openai, 1_000_000)).toBe(0.02);
    expect(embeddingCost({ provider: "openai", model: "text-embedding-3-large" }, 1_000_000)).toBe(0.13);
    expect(embeddingCost({ provider: "openai", model: "text-embedding-ada-002" }, 1_000_000)).toBe(0.1);
    expect(embeddingCost({ provider: "gemini", model: "gemini-embedding-001" }, 1_000_000)).toBe(0.15);
    expect(embeddingCost({ provider: "demo", model: "words-256" }, 1_000_000)).toBe(0);
    expect(embeddingCost({ provider: "openai-compatible", model: "nomic-embed-text" }, 1_000_000)).toBeNull();
  });
});
