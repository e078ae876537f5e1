import { PostgrestClient } from "@supabase/postgrest-js";
import { beforeAll, describe, expect, it } from "vitest";
import { signUp, type SignedIn } from "../../../../supabase/local/testing/clients.ts";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import type { KnowledgeHit, KnowledgeQuery } from "../../../engine/knowledge/knowledge.ts";
import type { NewChunk } from "../../../engine/knowledge/stored-documents.ts";
import { createKnowledgeRepository } from "./knowledge-repository.ts";
import { createKnowledgeStore } from "./knowledge-store.ts";

let stack: SharedStack;
let alice: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  stack = await sharedTestStack();
  alice = await signUp(stack);
  bob = await signUp(stack);
});

interface Passage {
  content: string;
  heading?: string;
  embedding?: number[];
  metadata?: NewChunk["metadata"];
}

const embedding = { provider: "demo", model: "words-256", credential: "" };

/** A collection of `account` with one document per entry, and its id. */
async function collectionOf(account: SignedIn, documents: Record<string, Passage[]>, withVectors = true) {
  const repository = createKnowledgeRepository(account.client);
  const made = await repository.create({ name: "Handbook", ...(withVectors ? { embedding } : {}) });
  const ids: Record<string, string> = {};
  for (const [name, passages] of Object.entries(documents)) {
    const document = { name, kind: "text" as const, source: "", sections: [], size: 1 };
    const { id } = await repository.putDocument(made.id, document, { hash: name });
    const chunks = passages.map((passage, position) => ({
      position,
      heading: passage.heading ?? "",
      content: passage.content,
      hash: `${name} ${position}`,
      tokens: 5,
      metadata: passage.metadata ?? {},
      embedding: passage.embedding ?? null,
    }));
    await repository.addChunks(id, chunks, withVectors ? "demo/words-256" : null);
    await repository.finishDocument(id, { status: "ready", costUsd: 0 });
    ids[name] = id;
  }
  return { id: made.id, ids, repository };
}

const facts: Passage[] = [
  { content: "Employees have thirty days of vacation a year.", heading: "Holidays", embedding: [1, 0, 0] },
  { content: "The office opens at eight in the morning.", embedding: [0, 1, 0] },
  { content: "Every year a report on vacation is sent to employees.", embedding: [0.6, 0.8, 0] },
  { content: "Parking is free for visitors; the e-mail of the desk is desk@example.com.", embedding: [-1, 0, 0] },
];

function search(account: SignedIn, query: Partial<KnowledgeQuery> & { collection: string }): Promise<KnowledgeHit[]> {
  return createKnowledgeStore(account.client).search({ text: "vacation", mode: "keyword", limit: 5, ...query });
}

const contents = (hits: readonly KnowledgeHit[]) => hits.map((hit) => hit.content.split(" ").slice(0, 2).join(" "));

describe("search in a collection", () => {
  it("compares vectors: 1 is the same direction, 0.5 a right angle, 0 the opposite", async () => {
    const { id } = await collectionOf(alice, { "a.txt": facts });
    const hits = await search(alice, { collection: id, mode: "semantic", embedding: [1, 0, 0] });
    expect(contents(hits)).toEqual(["Employees have", "Every year", "The office", "Parking is"]);
    expect(hits.map((hit) => Number(hit.score.toFixed(6)))).toEqual([1, 0.8, 0.5, 0]);
    expect(hits.map((hit) => hit.keywordScore)).toEqual([null, null, null, null]);
    const near = await search(alice, { collection: id, mode: "semantic", embedding: [1, 0, 0], minScore: 0.7 });
    expect(contents(near)).toEqual(["Employees have", "Every year"]);
  });

  it("compares words: all of them is 1, rare ones count more, stems and headings count", async () => {
    const { id, ids } = await collectionOf(alice, { "a.txt": facts });
    const hits = await search(alice, { collection: id, text: "vacations in thirty days", minScore: 0.8 });
    expect(contents(hits)).toEqual(["Employees have"]);
    expect(hits[0]).toMatchObject({
      score: 1,
      keywordScore: 1,
      semanticScore: null,
      metadata: { documentId: ids["a.txt"], document: "a.txt", heading: "Holidays", position: 0 },
    });
    const all = await search(alice, { collection: id, text: "vacation parking" });
    expect(contents(all)[0]).toBe("Parking is");
    expect(all.every((hit) => hit.score > 0.5 && hit.score < 1)).toBe(true);
    expect(contents(await search(alice, { collection: id, text: "holidays" }))).toEqual(["Employees have"]);
  });

  it("forgives a typing error, at a lower score", async () => {
    const { id } = await collectionOf(alice, { "a.txt": facts });
    const [hit] = await search(alice, { collection: id, text: "visiters parkng" });
    expect(hit?.content).toContain("visitors");
    expect(hit?.score).toBeGreaterThan(0.6);
    expect(hit?.score).toBeLessThan(1);
    expect(await search(alice, { collection: id, text: "xylophone" })).toEqual([]);
  });

  it("reads quotes and minus as a web search does", async () => {
    const { id } = await collectionOf(alice, { "a.txt": facts });
    expect(contents(await search(alice, { collection: id, text: "vacation -report" }))).toEqual(["Employees have"]);
    expect(contents(await search(alice, { collection: id, text: '"report on vacation"' }))).toEqual(["Every year"]);
    expect(await search(alice, { collection: id, text: '"vacation report"' })).toEqual([]);
    expect(await search(alice, { collection: id, text: "-vacation" })).toEqual([]);
  });

  it.each([
    "",
    "   ",
    "the",
    "'; drop table x; --",
    "\\",
    "a\\'b",
    "!!! & | ( <->",
    "e-mail",
    "desk@example.com",
    "日本語",
  ])("takes %j for what it is: words, or none", async (text) => {
    const { id } = await collectionOf(alice, { "a.txt": facts });
    const hits = await search(alice, { collection: id, text, embedding: [1, 0, 0], mode: "hybrid" });
    expect(contents(hits)[0]).toBe(/mail|desk/.test(text) ? "Parking is" : "Employees have");
  });

  it("fuses both orders, and is by keyword without a vector", async () => {
    const { id } = await collectionOf(alice, { "a.txt": facts });
    const query = { collection: id, mode: "hybrid" as const, text: "report vacation" };
    const hits = await search(alice, { ...query, embedding: [1, 0, 0] });
    // Second by meaning and first by words comes before first by meaning and second by words' lower score.
    expect(contents(hits).slice(0, 2).toSorted()).toEqual(["Employees have", "Every year"]);
    for (const { score, semanticScore, keywordScore } of hits) {
      expect(score).toBe(Math.max(semanticScore ?? 0, keywordScore ?? 0));
    }
    expect(hits).toHaveLength(4);
    expect(contents(await search(alice, query))).toEqual(["Every year", "Employees have"]);
    // A good score in one half is enough to stay.
    const good = await search(alice, { ...query, embedding: [0, 0, 1], minScore: 0.8 });
    expect(contents(good)).toEqual(["Every year"]);
  });

  it("filters on metadata in every mode", async () => {
    const withPages = facts.map((fact, index) => ({ ...fact, metadata: { page: index, row: 7 } }));
    const { id } = await collectionOf(alice, { "a.txt": withPages });
    for (const mode of ["hybrid", "semantic", "keyword"] as const) {
      const query = { collection: id, mode, embedding: [1, 0, 0] };
      const page = { is: "=", field: "page", value: 2 } as const;
      const row = (value: number) => ({ is: "=", field: "row", value }) as const;
      expect(contents(await search(alice, { ...query, filter: page }))).toEqual(["Every year"]);
      expect(await search(alice, { ...query, filter: { is: "and", of: [page, row(8)] } })).toEqual([]);
      expect((await search(alice, { ...query, filter: row(7) })).length).toBeGreaterThan(1);
    }
  });

  it("does not find deleted documents and collections, until they are restored", async () => {
    const { id, ids, repository } = await collectionOf(alice, { "a.txt": facts, "b.txt": facts.slice(0, 1) });
    const query = { collection: id, mode: "hybrid" as const, embedding: [1, 0, 0], limit: 20 };
    expect(await search(alice, query)).toHaveLength(5);
    await repository.removeDocument(ids["a.txt"] ?? "");
    expect((await search(alice, query)).map((hit) => hit.metadata.document)).toEqual(["b.txt"]);
    await repository.restoreDocument(ids["a.txt"] ?? "");
    expect(await search(alice, query)).toHaveLength(5);
    await repository.remove(id);
    await expect(search(alice, query)).rejects.toMatchObject({ data: { code: "invalid_config" } });
    expect(await createKnowledgeStore(alice.client).collection(id)).toBeNull();
    await repository.restore(id);
    expect(await search(alice, query)).toHaveLength(5);
  });

  it("says which vectors do not fit", async () => {
    const { id } = await collectionOf(alice, { "a.txt": facts });
    await expect(search(alice, { collection: id, mode: "semantic", embedding: [1, 0] })).rejects.toMatchObject({
      data: { code: "invalid_config", message: "The collection's vectors have 3 numbers, but the model gave 2." },
    });
    await expect(search(alice, { collection: id, mode: "semantic" })).rejects.toMatchObject({
      data: { code: "invalid_config", message: expect.stringContaining("needs an embedding") },
    });
    for (const collection of ["", "not-an-id", "00000000-0000-4000-8000-000000000000"]) {
      await expect(search(alice, { collection })).rejects.toMatchObject({
        data: { code: "invalid_config", message: "The collection does not exist." },
      });
    }
  });

  it("rejects with the signal's reason, and says when the database is away", async () => {
    const { id } = await collectionOf(alice, { "a.txt": facts });
    const stopped = AbortSignal.abort(new Error("stopped"));
    await expect(search(alice, { collection: id, signal: stopped })).rejects.toThrow("stopped");
    const away = createKnowledgeStore(new PostgrestClient("http://127.0.0.1:9/rest/v1", { retry: false }));
    await expect(away.search({ collection: id, text: "x", mode: "keyword", limit: 1 })).rejects.toMatchObject({
      data: { code: "tool_error", retryable: true },
    });
  });
});

describe("S40 another account", () => {
  it("finds nothing of a collection, by no function", async () => {
    const { id } = await collectionOf(alice, { "a.txt": facts });
    await collectionOf(bob, { "b.txt": [{ content: "Bob's own vacation.", embedding: [1, 0, 0] }] });
    for (const mode of ["hybrid", "semantic", "keyword"] as const) {
      await expect(search(bob, { collection: id, mode, embedding: [1, 0, 0] })).rejects.toMatchObject({
        data: { code: "invalid_config" },
      });
    }
    const half = { p_collection_id: id, p_limit: 50, p_filter: null, p_hidden: [] };
    const words = await bob.client.rpc("studio_knowledge_by_words", { ...half, p_text: "vacation" });
    const meaning = await bob.client.rpc("studio_knowledge_by_meaning", { ...half, p_embedding: "[1,0,0]" });
    expect([words.data, meaning.data]).toEqual([[], []]);
    expect((await createKnowledgeRepository(bob.client).collections()).map((found) => found.id)).not.toContain(id);
  });

  it("changes nothing of a collection, by no function", async () => {
    const { id, ids, repository } = await collectionOf(alice, { "a.txt": facts });
    const document = ids["a.txt"] ?? "";
    const before = [
      await repository.collection(id),
      await repository.documents(id),
      await repository.storedChunks(document),
    ];
    const his = createKnowledgeRepository(bob.client);
    const chunk = { position: 9, heading: "", content: "Forged", hash: "x", tokens: 1, metadata: {}, embedding: null };
    await expect(his.addChunks(document, [chunk], null)).rejects.toMatchObject({ kind: "not-found" });
    await expect(his.setEmbedding(id, null)).rejects.toMatchObject({ kind: "not-found" });
    const remove = (await repository.storedChunks(document)).map((stored) => stored.id);
    await expect(his.arrangeChunks(document, { remove, move: [] })).rejects.toMatchObject({ kind: "not-found" });
    await expect(his.beginIngest(document)).rejects.toMatchObject({ kind: "not-found" });
    const forged = { name: "a.txt", kind: "text" as const, source: "", size: 1, sections: [] };
    await expect(his.putDocument(id, forged, { hash: "x" })).rejects.toMatchObject({ kind: "not-found" });
    await his.finishDocument(document, { status: "failed", error: { message: "x", hint: "y" }, costUsd: 1 });
    await his.markPending(id);
    await expect(his.removeDocument(document)).rejects.toMatchObject({ kind: "not-found" });
    await expect(his.remove(id)).rejects.toMatchObject({ kind: "not-found" });
    const after = [
      await repository.collection(id),
      await repository.documents(id),
      await repository.storedChunks(document),
    ];
    expect(after).toEqual(before);
  });
});
