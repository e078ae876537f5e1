import { beforeAll, describe, expect, it } from "vitest";
import { signUp, type SignedIn } from "../../../../supabase/local/testing/clients.ts";
import { sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import type { KnowledgeCollection, KnowledgeStore } from "../../../engine/knowledge/knowledge.ts";
import type { SourceDocument } from "../../../engine/knowledge/source-document.ts";
import { testHost } from "../../../engine/testing/test-host.ts";
import { storeDocument } from "../../../nodes/knowledge/store-document.ts";
import { createKnowledgeRepository } from "./knowledge-repository.ts";
import { createKnowledgeStore } from "./knowledge-store.ts";

let alice: SignedIn;
let store: KnowledgeStore;

beforeAll(async () => {
  alice = await signUp(await sharedTestStack());
  store = createKnowledgeStore(alice.client);
});

async function newCollection(embedding = false): Promise<KnowledgeCollection> {
  const repository = createKnowledgeRepository(alice.client);
  const demo = { provider: "demo", model: "words-256", credential: "" };
  const { id } = await repository.create({ name: "Handbook", embedding: embedding ? demo : null });
  const found = await store.collection(id);
  if (!found) throw new Error("The collection is not there.");
  return found;
}

const text = (name: string, ...lines: string[]): SourceDocument => ({
  name,
  kind: "text",
  source: "",
  size: 1,
  sections: lines.map((line) => ({ headings: [], text: line, alone: true })),
});

const add = (collection: KnowledgeCollection, document: SourceDocument, writer: KnowledgeStore = store) =>
  storeDocument(document, collection, {
    writer,
    host: testHost(),
    signal: new AbortController().signal,
    spend: () => Promise.resolve(),
  });

const contents = async ({ id }: KnowledgeCollection, query = "lamps") =>
  (await store.search({ collection: id, text: query, mode: "keyword", limit: 10 })).map(({ content }) => content);

describe("storing documents for a run", () => {
  it("adds, leaves alone and replaces by name, and keeps the vectors of what did not change", async () => {
    const collection = await newCollection(true);
    const added = await add(collection, text("a.txt", "Green lamps.", "Red lamps."));
    expect(added).toMatchObject({ outcome: "added", added: 2 });
    expect(await add(collection, text("a.txt", "Green lamps.", "Red lamps."))).toMatchObject({
      id: added.id,
      outcome: "unchanged",
    });
    const before = await store.storedChunks(added.id);
    expect(await add(collection, text("a.txt", "Green lamps.", "Blue lamps."))).toMatchObject({
      id: added.id,
      outcome: "updated",
      kept: 1,
      added: 1,
      removed: 1,
    });
    const after = await store.storedChunks(added.id);
    expect(after.map(({ id }) => id)).toContain(before[0]?.id);
    expect(after.every(({ embedded }) => embedded)).toBe(true);
    expect((await contents(collection)).toSorted()).toEqual(["Blue lamps.", "Green lamps."]);
  });

  it("stores the same content under two names, since a name stands for one document", async () => {
    const collection = await newCollection();
    await add(collection, text("a.txt", "Green lamps."));
    expect(await add(collection, text("b.txt", "Green lamps."))).toMatchObject({ outcome: "added" });
    expect(await contents(collection)).toHaveLength(2);
  });

  it("makes one document of a name that comes twice at the same time, with the chunks of one of the two", async () => {
    const collection = await newCollection();
    const two = [text("a.txt", "Green lamps.", "Old lamps."), text("a.txt", "Red lamps.", "New lamps.")];
    const ended = await Promise.allSettled(two.map((document) => add(collection, document)));
    const stored = await createKnowledgeRepository(alice.client).documents(collection.id);
    expect(stored).toMatchObject([{ name: "a.txt", status: "ready", chunks: 2 }]);
    expect([["Green lamps.", "Old lamps."].toString(), ["New lamps.", "Red lamps."].toString()]).toContain(
      (await contents(collection)).toSorted().toString(),
    );
    for (const one of ended) {
      if (one.status === "rejected")
        expect(String(one.reason)).toMatch(/Another document with the same name has replaced it/);
    }
  });

  it("refuses the chunks of an ingest after which another one has begun, and takes note of its cost", async () => {
    const collection = await newCollection();
    const first = await store.putDocument(collection.id, text("a.txt", "Old lamps."), { hash: "1" });
    const second = await store.putDocument(collection.id, text("a.txt", "New lamps."), { hash: "2" });
    expect(second.id).toBe(first.id);
    const chunk = {
      position: 0,
      heading: "",
      content: "Old lamps.",
      hash: "1",
      tokens: 2,
      metadata: {},
      embedding: null,
    };
    const replaced = { data: { message: expect.stringMatching(/has replaced it/) } };
    await expect(store.addChunks(first.id, [chunk], null, first.ingest)).rejects.toMatchObject(replaced);
    await expect(
      store.arrangeChunks(first.id, { remove: [crypto.randomUUID()], move: [] }, first.ingest),
    ).rejects.toMatchObject(replaced);
    await store.finishDocument(first.id, { status: "ready", costUsd: 2 }, first.ingest);
    const repository = createKnowledgeRepository(alice.client);
    expect(await repository.document(first.id)).toMatchObject({ status: "pending", hash: "2", costUsd: 2 });
    const resumed = await repository.beginIngest(first.id);
    await expect(store.addChunks(first.id, [chunk], null, second.ingest)).rejects.toMatchObject(replaced);
    await store.addChunks(first.id, [chunk], null, resumed.ingest);
    expect(await contents(collection)).toEqual(["Old lamps."]);
  });

  it("S90 keeps who wrote a text with its passages, also when it is split again", async () => {
    const collection = await newCollection();
    const { id } = await add(collection, { ...text("a.txt", "Green lamps."), untrusted: ["a caller"] });
    const search = () => store.search({ collection: collection.id, text: "lamps", mode: "keyword", limit: 1 });
    expect(await search()).toMatchObject([{ metadata: { untrusted: ["a caller"] } }]);
    const repository = createKnowledgeRepository(alice.client);
    expect(await repository.beginIngest(id)).toMatchObject({ untrusted: ["a caller"] });
    // The owner's own text in its place is his own; what says the same from a stranger is marked again.
    expect(await add(collection, text("a.txt", "Green lamps."))).toMatchObject({ outcome: "updated", kept: 1 });
    expect((await search())[0]?.metadata).not.toHaveProperty("untrusted");
    await add(collection, { ...text("a.txt", "Green lamps."), untrusted: ["a caller"] });
    expect(await search()).toMatchObject([{ metadata: { untrusted: ["a caller"] } }]);
  });

  it("finds a deleted document no more, and adds it anew", async () => {
    const collection = await newCollection();
    const { id } = await add(collection, text("a.txt", "Green lamps."));
    await store.removeDocument(id);
    expect(await contents(collection)).toEqual([]);
    expect(await add(collection, text("a.txt", "Green lamps."))).toMatchObject({ outcome: "added" });
  });

  it("says what a refusal of the database means", async () => {
    const gone = { ...(await newCollection()), id: crypto.randomUUID() };
    await expect(add(gone, text("a.txt", "Green lamps."))).rejects.toMatchObject({
      data: { message: "The collection does not exist.", hint: expect.any(String) },
    });
  });
});
