import { afterAll, beforeAll, expect, it } from "vitest";
import { signUp, type SignedIn } from "../../../../supabase/local/testing/clients.ts";
import { plant } from "../../../../supabase/local/testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../../../../supabase/local/testing/start-stack.ts";
import { wideVectors } from "../../../../bench/knowledge/wide-vectors.ts";
import type { Condition } from "../../../engine/knowledge/filter/condition.ts";
import { createKnowledgeStore } from "./knowledge-store.ts";
import { vectorText } from "./vector-text.ts";

/** More than are compared in full, also of those that the filter leaves. */
const chunks = 1_500;

let stack: TestStack;
let alice: SignedIn;
let collection: string;
let documentId: unknown;

beforeAll(async () => {
  stack = await startTestStack();
  alice = await signUp(stack);
  const document = await plant(stack, "studio_knowledge_documents", alice);
  collection = String(document["collection_id"]);
  documentId = document["id"];
  const batch = 500;
  for (let start = 0; start < chunks; start += batch) {
    const vectors = wideVectors(start, batch).map((vector) => vectorText([...vector]));
    await stack.sql(
      `insert into public.studio_knowledge_chunks
         (owner, collection_id, document_id, "position", content, content_hash, metadata, embedding)
       select $1, $2, $3, $4::integer + given.place, 'chunk', given.place::text,
         jsonb_build_object('page', ($4::integer + given.place) % 2), given.vector::extensions.vector
       from unnest($5::text[]) with ordinality as given (vector, place)`,
      [alice.userId, collection, documentId, start - 1, vectors],
    );
  }
});

afterAll(() => stack.stop());

const questions = wideVectors(7_000_000, 12).map((vector) => [...vector]);

const semantic = (embedding: number[], filter?: Condition) =>
  createKnowledgeStore(alice.client).search({
    collection,
    text: "",
    embedding,
    mode: "semantic",
    limit: 5,
    ...(filter ? { filter } : {}),
  });

/** The positions of the nearest five, by comparing all vectors in full. */
async function exact(embedding: number[], condition = "true"): Promise<number[]> {
  const rows = await stack.sql<{ position: number }>(
    `select "position" from public.studio_knowledge_chunks where collection_id = $1 and ${condition}
     order by embedding operator(extensions.<=>) $2::extensions.vector limit 5`,
    [collection, vectorText(embedding)],
  );
  return rows.map(({ position }) => position);
}

/** The share of the exact nearest five that a search finds. */
async function found(condition?: string, filter?: Condition): Promise<number> {
  let hits = 0;
  for (const question of questions) {
    const wanted = await exact(question, condition);
    const given = await semantic(question, filter);
    expect(given).toHaveLength(5);
    hits += given.filter((hit) => wanted.includes(hit.metadata.position)).length;
  }
  return hits / (questions.length * 5);
}

it("finds the nearest chunks by the signs of their vectors", async () => {
  expect(await found()).toBeGreaterThanOrEqual(0.97);
});

it("finds the nearest of those that a filter leaves", async () => {
  expect(await found("metadata @> '{\"page\": 1}'", { is: "=", field: "page", value: 1 })).toBeGreaterThanOrEqual(0.97);
});

it("knows a vector that was changed, and none that was taken away", async () => {
  const [question = []] = questions;
  const [nearest = -1] = await exact(question);
  const { data } = await alice.client
    .from("studio_knowledge_chunks")
    .select("id,position")
    .in("position", [nearest, chunks - 1]);
  const idAt = (position: number): unknown => data?.find((row) => row.position === position)?.id;
  const change = (position: number, embedding: number[] | null) =>
    alice.client
      .from("studio_knowledge_chunks")
      .update({ embedding: embedding && vectorText(embedding) })
      .eq("id", idAt(position))
      .throwOnError();
  await change(nearest, null);
  await change(chunks - 1, question);
  const positions = (await semantic(question)).map((hit) => hit.metadata.position);
  expect(positions[0]).toBe(chunks - 1);
  expect(positions).not.toContain(nearest);
  await change(nearest, question);
  await alice.client
    .from("studio_knowledge_chunks")
    .delete()
    .eq("id", idAt(chunks - 1))
    .throwOnError();
  expect((await semantic(question))[0]?.metadata.position).toBe(nearest);
  const [kept] = await stack.sql("select count(*)::integer as rows from public.studio_knowledge_bits");
  expect(kept).toEqual({ rows: chunks - 1 });
});

it("gives every length that a model may have its bits", async () => {
  for (const length of [1, 256, 384, 1024, 3072, 16_000]) {
    const document = await plant(stack, "studio_knowledge_documents", alice);
    const vector = Array.from({ length }, (_, place) => Math.cos(place + length));
    const common = { collection_id: document["collection_id"], document_id: document["id"], content_hash: "x" };
    await plant(stack, "studio_knowledge_chunks", alice, {
      ...common,
      position: 0,
      content: "near",
      embedding: vectorText(vector),
    });
    const hits = await createKnowledgeStore(alice.client).search({
      collection: String(document["collection_id"]),
      text: "",
      embedding: vector,
      mode: "semantic",
      limit: 5,
    });
    expect(
      hits.map((hit) => hit.score.toFixed(5)),
      `${length} numbers`,
    ).toEqual(["1.00000"]);
  }
});
