import { beforeAll, describe, expect, it } from "vitest";
import { signUp, type SignedIn } from "../../../../supabase/local/testing/clients.ts";
import { sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import { knowledgeStore } from "../../../engine/in-memory/knowledge-store.ts";
import type { Chunking } from "../../../engine/knowledge/chunking.ts";
import type { KnowledgeCollection, KnowledgeQuery, KnowledgeStore } from "../../../engine/knowledge/knowledge.ts";
import type { DocumentSection, SourceDocument } from "../../../engine/knowledge/source-document.ts";
import { testHost } from "../../../engine/testing/test-host.ts";
import { storeDocument } from "../../../nodes/knowledge/store-document.ts";
import { embedWords } from "../../../providers/demo/embeddings.ts";
import { createKnowledgeRepository } from "./knowledge-repository.ts";
import { createKnowledgeStore } from "./knowledge-store.ts";

let alice: SignedIn;

beforeAll(async () => {
  alice = await signUp(await sharedTestStack());
});

const parents: Chunking = { size: 400, overlap: 0, split: { by: "parents", depth: 1, child: 50 } };
const embedding = { provider: "demo", model: "words-256", credential: "" };

interface Opened {
  store: KnowledgeStore;
  collection: KnowledgeCollection;
}

const stores = {
  async Postgres(chunking: Chunking) {
    const { id } = await createKnowledgeRepository(alice.client).create({ name: "Handbook", embedding, chunking });
    return opened(createKnowledgeStore(alice.client), id);
  },
  async memory(chunking: Chunking) {
    const empty = { id: "handbook", name: "Handbook", embedding, dimension: null, chunking, chunks: [] };
    return opened(knowledgeStore([empty]), empty.id);
  },
};

async function opened(store: KnowledgeStore, id: string): Promise<Opened> {
  const collection = await store.collection(id);
  if (!collection) throw new Error("The collection is not there.");
  return { store, collection };
}

const document = (name: string, sections: DocumentSection[]): SourceDocument => ({
  name,
  kind: "markdown",
  source: "",
  size: 1,
  sections,
});

const add = ({ store, collection }: Opened, given: SourceDocument) =>
  storeDocument(given, collection, {
    writer: store,
    host: testHost(),
    signal: new AbortController().signal,
    spend: () => Promise.resolve(),
  });

function search({ store, collection }: Opened, text: string, query: Partial<KnowledgeQuery> = {}) {
  const [vector = []] = embedWords([text]);
  const asked = { collection: collection.id, text, mode: "keyword" as const, limit: 5, embedding: vector };
  return store.search({ ...asked, ...query });
}

const returns: DocumentSection[] = [
  { headings: ["Returns"], text: "A lamp can be sent back.", metadata: { page: 1 } },
  { headings: ["Returns", "When"], text: "Within thirty days the lamp has to be here.", metadata: { page: 2 } },
  { headings: ["Hours"], text: "The shop opens at eight.", metadata: { page: 3 } },
];
const lamps = (count: number): DocumentSection[] =>
  Array.from({ length: count }, (_, n) => ({ headings: ["Lamps", `Kind ${n}`], text: "A lamp, a lamp." }));
const wholeReturns = "A lamp can be sent back.\n\nWhen\n\nWithin thirty days the lamp has to be here.";

describe.each(Object.entries(stores))("parents and their chunks in %s", (_name, open) => {
  it("finds a chunk, gives its parent, and says where the chunk stands", async () => {
    const shop = await open(parents);
    await add(shop, document("shop.md", returns));
    const [hit] = await search(shop, "thirty days");
    expect(hit).toMatchObject({
      content: "Within thirty days the lamp has to be here.",
      parentText: wholeReturns,
      metadata: { heading: "Returns › When", position: 1, page: 2 },
    });
    const [alone] = await search(shop, "opens at eight");
    expect(alone?.content).toBe("The shop opens at eight.");
    expect(alone?.parentText).toBeUndefined();
  });

  it.each(["keyword", "semantic", "hybrid"] as const)(
    "gives a parent once, so that others have room, searched by %s",
    async (mode) => {
      const shop = await open(parents);
      await add(shop, document("lamps.md", lamps(8)));
      await add(shop, document("shop.md", returns));
      const hits = await search(shop, "lamp", { mode, limit: 2 });
      expect(hits.map(({ metadata }) => metadata.document)).toEqual(["lamps.md", "shop.md"]);
      expect(hits[0]?.parentText?.match(/A lamp, a lamp\./g)).toHaveLength(8);
    },
  );

  it.each(["keyword", "semantic", "hybrid"] as const)(
    "leaves room for others beside a parent of many chunks, searched by %s",
    async (mode) => {
      const shop = await open({ ...parents, size: 4_000 });
      await add(shop, document("lamps.md", lamps(60)));
      await add(shop, document("shop.md", returns));
      const hits = await search(shop, "lamp", { mode, limit: 2 });
      expect(hits.map(({ metadata }) => metadata.document)).toEqual(["lamps.md", "shop.md"]);
    },
  );

  it("keeps the vectors of chunks that stay, and gives them in the parent as it is now", async () => {
    const shop = await open(parents);
    const { id } = await add(shop, document("shop.md", returns));
    const before = await shop.store.storedChunks(id);
    const hint: DocumentSection = { headings: ["Returns", "How"], text: "By post." };
    const [first, ...others] = returns;
    const changed = [...(first ? [first] : []), hint, ...others];
    expect(await add(shop, document("shop.md", changed))).toMatchObject({ kept: 3, added: 1, removed: 0 });
    const after = await shop.store.storedChunks(id);
    expect(after.map((chunk) => chunk.id)).toEqual(expect.arrayContaining(before.map((chunk) => chunk.id)));
    expect((await search(shop, "thirty days"))[0]?.parentText).toBe(
      "A lamp can be sent back.\n\nHow\n\nBy post.\n\nWhen\n\nWithin thirty days the lamp has to be here.",
    );
  });

  it("gives chunks themselves once the document is split another way, of which the equal ones stay", async () => {
    const shop = await open(parents);
    await add(shop, document("shop.md", returns));
    const bySize = { ...shop, collection: { ...shop.collection, chunking: { size: 400, overlap: 0 } } };
    const added: DocumentSection = { headings: ["Parking"], text: "Free." };
    expect(await add(bySize, document("shop.md", [...returns, added]))).toMatchObject({ kept: 3, added: 1 });
    const [hit] = await search(shop, "thirty days");
    expect(hit?.content).toBe("Within thirty days the lamp has to be here.");
    expect(hit?.parentText).toBeUndefined();
  });
});

it("leaves room beside parents that were stored before their collection was split another way", async () => {
  const shop = await stores.Postgres(parents);
  await add(shop, document("lamps.md", lamps(8)));
  await add(shop, document("shop.md", returns));
  const { error } = await alice.client
    .from("studio_knowledge_collections")
    .update({ splitting: null })
    .eq("id", shop.collection.id);
  expect(error).toBeNull();
  const hits = await search(shop, "lamp", { mode: "semantic", limit: 2 });
  expect(hits.map(({ metadata }) => metadata.document)).toEqual(["lamps.md", "shop.md"]);
});
