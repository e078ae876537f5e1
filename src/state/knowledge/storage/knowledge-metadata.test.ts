import { beforeAll, describe, expect, it } from "vitest";
import { signUp, type SignedIn } from "../../../../supabase/local/testing/clients.ts";
import { sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import type { MetadataChange } from "../../../engine/knowledge/document-metadata.ts";
import type { Condition } from "../../../engine/knowledge/filter/condition.ts";
import { parseFilter } from "../../../engine/knowledge/filter/parse-filter.ts";
import { filterCases, filteredMetadata } from "../../../engine/knowledge/filter/testing/filter-cases.ts";
import type { KnowledgeMode } from "../../../engine/knowledge/knowledge.ts";
import type { KnowledgeRepository } from "../../../services/knowledge.ts";
import { createKnowledgeRepository } from "./knowledge-repository.ts";

let alice: SignedIn;
let bob: SignedIn;
let repository: KnowledgeRepository;

beforeAll(async () => {
  const stack = await sharedTestStack();
  alice = await signUp(stack);
  bob = await signUp(stack);
  repository = createKnowledgeRepository(alice.client);
});

const embedding = { provider: "demo", model: "words-256", credential: "" };

async function put(collection: string, name: string, metadata?: MetadataChange) {
  const document = {
    name,
    kind: "text" as const,
    source: "",
    sections: [],
    size: 1,
    ...(metadata ? { metadata } : {}),
  };
  return (await repository.putDocument(collection, document, { hash: name })).id;
}

/** A collection of documents with these metadata and two passages each, on the pages 1 and 2. */
async function collectionOf(documents: Record<string, MetadataChange>) {
  const { id } = await repository.create({ name: "Handbook", embedding });
  for (const [name, metadata] of Object.entries(documents)) {
    const document = await put(id, name, metadata);
    const chunks = [1, 2].map((page) => ({
      position: page - 1,
      heading: "",
      content: "Green lamps.",
      hash: `${name} ${page}`,
      tokens: 3,
      metadata: { document: name, page },
      embedding: [1, 0, 0],
    }));
    await repository.addChunks(document, chunks, "demo/words-256");
    await repository.finishDocument(document, { status: "ready", costUsd: 0 });
  }
  return id;
}

function condition(text: string): Condition {
  const read = parseFilter(text);
  if (!read.ok || !read.condition) throw new Error(read.ok ? "It is empty." : read.message);
  return read.condition;
}

const search = (collection: string, filter: Condition, mode: KnowledgeMode = "keyword") =>
  repository.search({ collection, text: "lamps", mode, embedding: [1, 0, 0], limit: 50, filter });

/** The places of what a search finds, such as `a.md 1`. */
async function places(collection: string, filter: string, mode?: KnowledgeMode): Promise<string[]> {
  const hits = await search(collection, condition(filter), mode);
  return hits.map(({ metadata }) => `${metadata.document} ${String(metadata["page"])}`).toSorted();
}

describe("a filter by metadata in the database", () => {
  let collection: string;
  beforeAll(async () => {
    collection = await collectionOf(filteredMetadata as Record<string, MetadataChange>);
  });

  it.each(filterCases)("finds what the engine finds: %s", async (filter, found) => {
    const both = found.flatMap((name) => [`${name} 1`, `${name} 2`]);
    expect(await places(collection, filter)).toEqual(both);
    // Beside a place it is decided once a passage instead of once a document.
    expect(await places(collection, `(${filter}) and page = 2`)).toEqual(found.map((name) => `${name} 2`));
  });

  it.each(["hybrid", "semantic", "keyword"] as const)("holds in every mode: %s", async (mode) => {
    expect(await places(collection, 'team = "sales" and year >= 2025', mode)).toEqual(["a.md 1", "a.md 2"]);
    expect(await places(collection, 'team = "support" or (document = "a.md" and page = 1)', mode)).toEqual([
      "a.md 1",
      "c.md 1",
      "c.md 2",
    ]);
  });

  it("says what the document has with each passage", async () => {
    const [hit] = await search(collection, condition('document = "a.md" and page = 1'));
    expect(hit?.metadata).toMatchObject({ ...filteredMetadata["a.md"], document: "a.md", page: 1 });
  });

  it("lists the fields with their types and some values, and none of a collection without documents", async () => {
    const fields = (await repository.fields(collection)) ?? [];
    expect(fields.map(({ name }) => name)).toEqual(["day", "draft", "mark", "tags", "team", "year"]);
    expect(fields.find(({ name }) => name === "year")).toMatchObject({ types: ["number", "text"] });
    expect(fields.find(({ name }) => name === "tags")).toMatchObject({ types: ["text"] });
    expect(fields.find(({ name }) => name === "team")?.examples).toContain("sales");
    expect(await repository.fields((await repository.create({ name: "Empty" })).id)).toBeNull();
    expect(await repository.fields(await collectionOf({ "a.md": {} }))).toEqual([]);
  });

  const ask = (filters: object) =>
    alice.client.rpc("studio_search_knowledge", {
      p_collection_id: collection,
      p_text: "lamps",
      p_embedding: null,
      p_mode: "keyword",
      p_limit: 50,
      p_min_score: 0,
      p_filter: null,
      ...filters,
    });

  it("takes a filter as earlier versions send it", async () => {
    const { data } = await ask({ p_filter: { document: "a.md", page: 2 } });
    expect(data).toMatchObject([{ document: "a.md", metadata: { page: 2 } }]);
  });

  it.each([
    { is: "=", field: "a", value: { b: 1 } },
    { is: "like_regex", field: "a", value: "x" },
    { is: "starts with", field: "a", value: 1 },
    { is: "and", of: [] },
    { is: "not" },
    Array.from({ length: 50 }).reduce<object>((of) => ({ is: "not", of }), { is: "=", field: "a", value: 1 }),
  ])("refuses what is no filter: %j", async (filter) => {
    for (const filters of [{ p_filter: filter }, { p_documents: filter }]) {
      expect((await ask(filters)).error?.message).toBe("knowledge_filter_invalid");
    }
  });

  it("says so in words", async () => {
    const deep = Array.from({ length: 50 }).reduce<Condition>((of) => ({ is: "not", of }), condition("a = 1"));
    await expect(search(collection, deep)).rejects.toMatchObject({
      kind: "invalid",
      hint: expect.stringContaining("parentheses"),
    });
  });
});

describe("metadata of documents", () => {
  it("are added to what a document has when it comes again, and null removes", async () => {
    const { id } = await repository.create({ name: "Handbook" });
    const document = await put(id, "a.md", { team: "sales", year: 2024 });
    const metadata = async () => (await repository.document(document)).metadata;
    await put(id, "a.md", { year: 2025, tags: ["new"] });
    expect(await metadata()).toEqual({ team: "sales", year: 2025, tags: ["new"] });
    await put(id, "a.md");
    await put(id, "a.md", { tags: null });
    expect(await metadata()).toEqual({ team: "sales", year: 2025 });
    await repository.setMetadata(document, { year: 2026 });
    expect(await metadata()).toEqual({ year: 2026 });
  });

  it("are set of many at once, by the words of their names", async () => {
    const collection = await collectionOf({ "guides/a.md": { year: 2024 }, "guides/b.md": {}, "c.md": {} });
    expect(await repository.describeDocuments(collection, "guides", { team: "sales" })).toBe(2);
    expect(await repository.describeDocuments(collection, "", { year: 2025 })).toBe(3);
    const all = await repository.documents(collection);
    expect(Object.fromEntries(all.map(({ name, metadata }) => [name, metadata]))).toEqual({
      "guides/a.md": { team: "sales", year: 2025 },
      "guides/b.md": { team: "sales", year: 2025 },
      "c.md": { year: 2025 },
    });
  });

  it("are at most 32, and no objects", async () => {
    const many = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${from + index}`, 1]));
    const { id } = await repository.create({ name: "Handbook" });
    const document = await put(id, "a.md", many(0, 32));
    const refused = { kind: "invalid", hint: expect.stringContaining("Remove") };
    await expect(put(id, "a.md", many(32, 1))).rejects.toMatchObject(refused);
    await expect(repository.describeDocuments(id, "", many(32, 1))).rejects.toMatchObject(refused);
    await expect(repository.setMetadata(document, many(0, 33))).rejects.toMatchObject(refused);
    const object = { a: { b: 1 } } as unknown as Record<string, string>;
    await expect(repository.setMetadata(document, object)).rejects.toBeInstanceOf(Error);
    expect((await repository.document(document)).metadata).toEqual(many(0, 32));
  });

  it("S40 are of their owner alone", async () => {
    const collection = await collectionOf({ "a.md": { team: "sales" } });
    const [document] = await repository.documents(collection);
    const his = createKnowledgeRepository(bob.client);
    expect(await his.fields(collection)).toBeNull();
    expect(await his.describeDocuments(collection, "", { team: "forged" })).toBe(0);
    await expect(his.setMetadata(document?.id ?? "", { team: "forged" })).rejects.toMatchObject({ kind: "not-found" });
    expect((await repository.documents(collection))[0]?.metadata).toEqual({ team: "sales" });
  });
});
