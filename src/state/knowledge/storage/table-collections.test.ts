import { beforeAll, describe, expect, it } from "vitest";
import { signUp, type SignedIn } from "../../../../supabase/local/testing/clients.ts";
import { sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import type { PostgresTable } from "../../../engine/knowledge/postgres-table.ts";
import { createKnowledgeRepository } from "./knowledge-repository.ts";
import { createKnowledgeStore } from "./knowledge-store.ts";
import { createWebSources } from "./web-sources.ts";

let alice: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  const stack = await sharedTestStack();
  [alice, bob] = [await signUp(stack), await signUp(stack)];
});

const table: PostgresTable = {
  credential: "c",
  table: "kb.articles",
  id: "id",
  text: "body",
  title: "title",
  url: null,
  vector: "embedding",
  comparison: "l2",
  dimension: 3,
  metadata: [{ column: "tags", type: "text", list: true }],
  filter: 'tags = "public"',
  language: "german",
};

const demo = { provider: "demo", model: "words-256", credential: "" };
const repository = () => createKnowledgeRepository(alice.client);
const made = () => repository().create({ name: "Articles", embedding: demo, table });
const source = { name: "a.txt", kind: "text", source: "", size: 1, sections: [] } as const;

describe("a collection that stands for a table", () => {
  it("is kept with its table, for pages and for runs, and seen by its owner alone", async () => {
    const { id } = await made();
    expect(await repository().collection(id)).toMatchObject({ table, embedding: demo, documents: 0 });
    expect(await createKnowledgeStore(alice.client).collection(id)).toMatchObject({ table, embedding: demo });
    expect(await createKnowledgeStore(bob.client).collection(id)).toBeNull();
  });

  it("gets another table", async () => {
    const { id } = await made();
    const other = { ...table, table: "notes", vector: null, dimension: null };
    expect((await repository().update(id, { table: other })).table).toEqual(other);
  });

  it("takes no documents and no sources, and has none to export", async () => {
    const { id } = await made();
    const refused = { message: "The collection is a Postgres table, which is only read." };
    await expect(repository().putDocument(id, source, { hash: "h" })).rejects.toMatchObject(refused);
    await expect(createKnowledgeStore(alice.client).putDocument(id, source, { hash: "h" })).rejects.toMatchObject(
      refused,
    );
    await expect(repository().exportCollection(id)).rejects.toMatchObject(refused);
    const sources = createWebSources(alice.client);
    await expect(
      sources.save(id, {
        kind: "page",
        url: "https://example.com/",
        depth: 0,
        include: [],
        exclude: [],
        everyHours: null,
        maxPages: 1,
        maxTokens: 1_000,
      }),
    ).rejects.toMatchObject(refused);
    expect(await repository().documents(id)).toEqual([]);
  });
});
