import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signUp, type SignedIn } from "../../../../supabase/local/testing/clients.ts";
import { plant } from "../../../../supabase/local/testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../../../../supabase/local/testing/start-stack.ts";
import { createKnowledgeStore } from "./knowledge-store.ts";

/** Enough for Postgres to choose as it does for 100,000. */
const large = 4_000;
const small = 20;
const dimension = 256;

let stack: TestStack;
let alice: SignedIn;
let largeId: string;
let smallId: string;

async function fill(account: SignedIn, rows: number, words: string): Promise<string> {
  const document = await plant(stack, "studio_knowledge_documents", account);
  await stack.sql(
    `insert into public.studio_knowledge_chunks
       (owner, collection_id, document_id, "position", content, content_hash, embedding)
     select $1, $2, $3, n, ${words}, n::text,
       (select array_agg(sin(n * (place + 1)))::extensions.vector from generate_series(1, ${dimension}) as place where n > 0)
     from generate_series(1, ${rows}) as n`,
    [account.userId, document["collection_id"], document["id"]],
  );
  return String(document["collection_id"]);
}

beforeAll(async () => {
  stack = await startTestStack();
  alice = await signUp(stack);
  const bob = await signUp(stack);
  const words =
    "'common ' || translate(md5(n::text), '0123456789', 'ghijklmnop') || ' ' || case when n % 400 = 0 then 'elephant' else 'sparrow' end";
  largeId = await fill(alice, large, words);
  smallId = await fill(alice, small, "'common zebra ' || n");
  await fill(bob, large, words);
  // As many words as a library has.
  await stack.sql(
    `insert into public.studio_knowledge_words (owner, collection_id, word)
     select $1, $2, translate(left(md5(n::text), 12), '0123456789', 'ghijklmnop') from generate_series(1, 40000) as n
     on conflict do nothing`,
    [alice.userId, largeId],
  );
  await stack.sql("analyze public.studio_knowledge_chunks");
  await stack.sql("analyze public.studio_knowledge_bits");
  await stack.sql("analyze public.studio_knowledge_words");
  // The connection was idle for so long that the server may just be closing it.
  await store()
    .collection(smallId)
    .catch(() => null);
});

afterAll(() => stack.stop());

const vector = (seed: number) => Array.from({ length: dimension }, (_, place) => Math.sin(seed * (place + 2)));

/** How often each index, and the tables themselves, were read while `work` ran. */
async function readsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const counted = async () => {
    await stack.sql("select pg_stat_force_next_flush()");
    const indices = await stack.sql<{ name: string; reads: number }>(
      `select indexrelname as name, idx_scan::int as reads from pg_stat_user_indexes where relname like 'studio_knowledge%'
       union all
       select relname, seq_scan::int from pg_stat_user_tables where relname like 'studio_knowledge%'`,
    );
    return new Map(indices.map(({ name, reads }) => [name, reads]));
  };
  const before = await counted();
  await work();
  const after = await counted();
  const changed = [...after].map(([name, reads]) => [name, reads - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(changed.filter(([, reads]) => reads > 0));
}

const store = () => createKnowledgeStore(alice.client);

describe("indices of the knowledge search, as the signed-in user", () => {
  it("finds words by the text index, never reading all chunks", async () => {
    const reads = await readsOf(async () => {
      const hits = await store().search({ collection: largeId, text: "elephant common", mode: "keyword", limit: 5 });
      expect(hits.map((hit) => hit.score)).toEqual([1, 1, 1, 1, 1]);
    });
    expect(reads["studio_knowledge_chunks_search"]).toBeGreaterThan(0);
    expect(reads["studio_knowledge_chunks"]).toBeUndefined();
  });

  it("finds mistyped words by the index of trigrams", async () => {
    const reads = await readsOf(async () => {
      const hits = await store().search({ collection: largeId, text: "elefant", mode: "keyword", limit: 5 });
      expect(hits.every((hit) => hit.content.includes("elephant"))).toBe(true);
      expect(hits).toHaveLength(5);
    });
    expect(reads["studio_knowledge_words_alike"]).toBeGreaterThan(0);
    expect(reads["studio_knowledge_words"]).toBeUndefined();
    expect(reads["studio_knowledge_chunks"]).toBeUndefined();
  });

  it("compares the bits of one collection, and reads no other's and no more vectors than it compares in full", async () => {
    const query = { collection: smallId, text: "", embedding: vector(17), mode: "semantic" as const, limit: 10 };
    const reads = await readsOf(async () => expect(await store().search(query)).toHaveLength(10));
    expect(reads["studio_knowledge_bits_of_collection"]).toBe(1);
    expect(reads["studio_knowledge_chunks_pkey"]).toBeLessThanOrEqual(2 * small);
    expect(reads["studio_knowledge_bits"]).toBeUndefined();
    expect(reads["studio_knowledge_chunks"]).toBeUndefined();
  });

  it("finds no vector of zeros, which is like nothing", async () => {
    const zeros = Array.from({ length: dimension }, () => 0);
    const query = { collection: smallId, text: "", embedding: zeros, mode: "semantic" as const, limit: 5 };
    expect(await store().search(query)).toEqual([]);
  });

  it("uses both for a hybrid search", async () => {
    const query = { collection: largeId, text: "elephant", embedding: vector(17), mode: "hybrid" as const, limit: 10 };
    const reads = await readsOf(() => store().search(query));
    expect(reads["studio_knowledge_chunks_search"]).toBeGreaterThan(0);
    expect(reads["studio_knowledge_chunks"]).toBeUndefined();
  });

  it("finds all of a small collection among many chunks", async () => {
    for (const mode of ["semantic", "keyword", "hybrid"] as const) {
      const query = { collection: smallId, text: "zebra", embedding: vector(3_000), mode, limit: 50 };
      const hits = await store().search(query);
      expect(hits, mode).toHaveLength(small);
      expect(hits.every((hit) => hit.content.includes("zebra"))).toBe(true);
    }
  });
});
