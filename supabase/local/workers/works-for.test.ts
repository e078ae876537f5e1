import { beforeAll, expect, test } from "vitest";
import { type SignedIn, signUp } from "../testing/clients.ts";
import { sharedTestStack, type SharedStack } from "../testing/shared-stack.ts";
import { freeFormerWorkers, worksFor } from "./works-for.ts";

let stack: SharedStack;
let owner: SignedIn;
let other: SignedIn;

beforeAll(async () => {
  stack = await sharedTestStack();
  [owner, other] = await Promise.all([signUp(stack), signUp(stack)]);
});

const client = () => ({
  query: async (sql: string, values?: unknown[]) => ({ rows: await stack.sql(sql, values) }) as never,
});

const workers = ["upload-test-1", "upload-test-2"];
const claim = async (worker = "") =>
  (
    await stack.sql<{ answer: object | null }>("select private.studio_claim_upload($1, $2) as answer", [
      worker,
      owner.userId,
    ])
  )[0]?.answer ?? null;
const acting = () => Promise.all(workers.map((worker) => worksFor(client(), worker, owner.userId)));

test("only the worker that has claimed a document acts for its owner, until it is known to be gone", async () => {
  const hash = "a".repeat(64);
  const [collection] = await stack.sql<{ id: string }>(
    "insert into public.studio_knowledge_collections (owner, name) values ($1, 'Claimed') returning id",
    [owner.userId],
  );
  const blob = crypto.randomUUID();
  await stack.sql("insert into private.studio_blobs (id, owner, size, sha256) values ($1, $2, 3, $3)", [
    blob,
    owner.userId,
    hash,
  ]);
  const [file] = await stack.sql<{ id: string }>(
    "insert into public.studio_files (owner, blob, name, media_type, size, sha256) values ($1, $2, 'a.txt', 'text/plain', 3, $3) returning id",
    [owner.userId, blob, hash],
  );
  await stack.sql("select public.studio_upload_knowledge_document($1, $2, 'a.txt', '', $3, '[]', null)", [
    owner.userId,
    collection?.id,
    file?.id,
  ]);
  expect(await acting()).toEqual([false, false]);
  expect(await claim(workers[0])).toMatchObject({ name: "a.txt", upload: file?.id });
  expect(await claim(workers[1])).toBeNull();
  expect(await acting()).toEqual([true, false]);
  expect(await worksFor(client(), workers[0] ?? "", other.userId)).toBe(false);

  await freeFormerWorkers(client(), "upload-test");
  expect(await acting()).toEqual([false, false]);
  expect(await claim(workers[1])).toMatchObject({ upload: file?.id });
  expect(await acting()).toEqual([false, true]);
});

test("only the worker that reloads a source acts for its owner, until its turn ends", async () => {
  const [collection] = await stack.sql<{ id: string }>(
    "insert into public.studio_knowledge_collections (owner, name) values ($1, 'Fresh') returning id",
    [owner.userId],
  );
  await stack.sql(
    `insert into public.studio_knowledge_sources (owner, collection_id, kind, url, due_at)
     values ($1, $2, 'page', 'https://fresh.example/', now())`,
    [owner.userId, collection?.id],
  );
  const take = async (worker = "") =>
    (
      await stack.sql<{ answer: { id: string; turn: string } | null }>(
        "select private.studio_claim_source($1, $2, '[]') as answer",
        [worker, owner.userId],
      )
    )[0]?.answer ?? null;
  const sources = () => Promise.all(workers.map((worker) => worksFor(client(), worker, owner.userId)));
  await stack.sql("update public.studio_knowledge_documents set upload = null where owner = $1", [owner.userId]);
  expect(await sources()).toEqual([false, false]);
  expect(await take(workers[0])).not.toBeNull();
  expect(await take(workers[1])).toBeNull();
  expect(await sources()).toEqual([true, false]);

  await freeFormerWorkers(client(), "upload-test");
  const turn = await take(workers[1]);
  expect(await sources()).toEqual([false, true]);
  await stack.sql("select private.studio_end_source($1, $2, $3, null)", [owner.userId, turn?.id, turn?.turn]);
  expect(await sources()).toEqual([false, false]);
});
