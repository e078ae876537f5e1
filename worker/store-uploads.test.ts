import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod/mini";
import type { KnowledgeEmbedding } from "../src/engine/knowledge/knowledge.ts";
import { createKnowledgeRepository } from "../src/state/knowledge/storage/knowledge-repository.ts";
import { makeApiKey } from "../supabase/functions/doors/testing/api-keys.ts";
import { saveTestCredential } from "../supabase/functions/_shared/testing/call-function.ts";
import { type SignedIn, signUp } from "../supabase/local/testing/clients.ts";
import { startTestStack, type TestStack } from "../supabase/local/testing/start-stack.ts";
import { statementsOn } from "../supabase/local/workers/worker-statements.ts";
import { rememberTokens, signAccountToken } from "./account-tokens.ts";
import { storeUploadOf } from "./store-uploads.ts";

let stack: TestStack;
let user: SignedIn;

beforeAll(async () => {
  stack = await startTestStack({ functions: true, workers: 0 });
  user = await signUp(stack);
});
afterAll(() => stack.stop());

const embeddingRequest = z.object({ input: z.array(z.string()) });

/** In the place of OpenAI: says that each request took so many tokens. */
function vendorOf(tokensOf: (request: number) => number) {
  let requests = 0;
  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.includes("/llm-proxy/")) return fetch(request);
    const { input: texts } = embeddingRequest.parse(await request.json());
    const data = texts.map((_text, index) => ({ object: "embedding", index, embedding: [1, 0, 0] }));
    requests += 1;
    return Response.json({ object: "list", data, usage: { prompt_tokens: tokensOf(requests) } });
  };
  return { fetch: answer, asked: () => requests };
}

async function work(vendor: ReturnType<typeof vendorOf>): Promise<void> {
  const client = stack.database.connect();
  const options = {
    worker: "test",
    door: statementsOn(client),
    tokens: rememberTokens((owner) => signAccountToken(owner, stack.jwtSecret)),
    url: stack.url,
    publishableKey: stack.key,
    fetch: vendor.fetch,
  };
  try {
    while (await storeUploadOf(user.userId, options));
  } finally {
    client.close();
  }
}

/** Dollars that a key has spent. */
async function spentBy(key: string): Promise<number> {
  const query = "select usd from private.studio_key_spending where key_id = $1";
  const [row] = await stack.sql<{ usd: string }>(query, [key]);
  return Number(row?.usd);
}

/** A collection whose documents are sent with a key of its own. */
async function openCollection(embedding: KnowledgeEmbedding, limits: object) {
  const repository = createKnowledgeRepository(user.client);
  const { id } = await repository.create({ name: embedding.model, embedding });
  const key = await makeApiKey(user, ["knowledge"], limits);
  return {
    key: key.id,
    send: (name: string, text: string) =>
      fetch(`${stack.url}/api/knowledge/${id}/documents`, {
        method: "POST",
        headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
        body: JSON.stringify({ name, text }),
      }),
    async document(name: string) {
      const documents = await repository.documents(id);
      return documents.find((one) => one.name === name);
    },
  };
}

it("S92 documents count against the spending cap of the key that sends them, and are not embedded beyond it", async () => {
  const fields = { apiKey: "test-key-0123456789" };
  const credential = await saveTestCredential(stack, user.accessToken, { type: "openai", fields });
  const embedding = { provider: "openai", model: "text-embedding-3-small", credential };
  const { key, send, document } = await openCollection(embedding, { dayUsd: 0.001 });
  // At two cents a million, these are 0.00095 and 0.0001 dollars.
  const vendor = vendorOf((request) => (request === 1 ? 47_500 : 5_000));
  expect((await send("first", "Lamps are bright.")).status).toBe(202);
  await work(vendor);
  expect(await document("first")).toMatchObject({ status: "ready" });
  expect(await spentBy(key)).toBeCloseTo(0.00095);

  expect((await send("long", "Sofas are red and wide. ".repeat(1_000))).status).toBe(202);
  await work(vendor);
  expect(await document("long")).toMatchObject({
    status: "failed",
    error: { message: "The spending cap of the API key that sent the document is reached." },
  });
  expect(vendor.asked()).toBe(1);

  expect((await send("short", "Desks are wide.")).status).toBe(202);
  await work(vendor);
  expect(await document("short")).toMatchObject({ status: "ready" });
  expect(await spentBy(key)).toBeCloseTo(0.00105);
  const refused = await send("late", "Chairs are blue.");
  expect([refused.status, await refused.json()]).toEqual([429, expect.objectContaining({ code: "spending_limit" })]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

it("S92 a model without a known price embeds nothing that comes by a key with a spending cap", async () => {
  const fields = { baseUrl: "https://vectors.example.com/v1", apiKey: "test-key-0123456789" };
  const credential = await saveTestCredential(stack, user.accessToken, { type: "openai-compatible", fields });
  const embedding = { provider: "openai-compatible", model: "vectors", credential };
  const capped = await openCollection(embedding, { monthUsd: 1 });
  const vendor = vendorOf(() => 1);
  await capped.send("note", "Lamps are bright.");
  await work(vendor);
  expect(await capped.document("note")).toMatchObject({
    status: "failed",
    error: { message: expect.stringContaining("The price of vectors is not known") },
  });
  expect(vendor.asked()).toBe(0);
  const free = await openCollection({ ...embedding, model: "other" }, {});
  await free.send("note", "Lamps are bright.");
  await work(vendor);
  expect(await free.document("note")).toMatchObject({ status: "ready" });
});

const unembedded = { provider: "demo", model: "words-256", credential: "" };

it("S92 what a key has spent hangs neither on what its account writes of a document, nor on a price that was unknown, nor on whether the document is still there", async () => {
  const { key, send, document } = await openCollection(unembedded, { dayUsd: 1 });
  await send("note", "Lamps are bright.");
  const id = (await document("note"))?.id ?? "";
  const change = (what: object) => user.client.from("studio_knowledge_documents").update(what).eq("id", id);
  expect((await change({ cost_usd: null })).error).toBeNull();
  const cost = (usd: number | null) =>
    user.client.rpc("studio_finish_knowledge_document", {
      p_document_id: id,
      p_status: "pending",
      p_error: null,
      p_cost_usd: usd,
    });
  await cost(null);
  await cost(0.25);
  expect(await spentBy(key)).toBe(0.25);
  expect((await change({ cost_usd: 0 })).error).toBeNull();
  expect((await change({ cost_usd: 5 })).error).toBeNull();
  await cost(-0.25);
  expect(await spentBy(key)).toBe(0.25);
  const [removed] = await stack.sql<{ count: number }>(
    `select public.studio_remove_documents(owner, collection_id, name) as count
     from public.studio_knowledge_documents where id = $1`,
    [id],
  );
  expect(removed).toEqual({ count: 1 });
  await cost(0.5);
  expect(await spentBy(key)).toBe(0.75);
});

it("S92 an account cannot say that a key pays for a document, and no key pays for another account's", async () => {
  const { key, send, document } = await openCollection(unembedded, {});
  await send("note", "Lamps are bright.");
  const id = (await document("note"))?.id ?? "";
  const [stored] = await stack.sql<{ collection: string }>(
    "select collection_id as collection from public.studio_knowledge_documents where id = $1",
    [id],
  );
  const row = { collection_id: stored?.collection, name: "mine", kind: "text", content_hash: "mine" };
  const documents = user.client.from("studio_knowledge_documents");
  expect((await documents.insert({ ...row, upload_key: key })).error?.code).toBe("42501");
  expect((await documents.update({ upload_key: null }).eq("id", id)).error?.code).toBe("42501");
  const stranger = await makeApiKey(await signUp(stack), ["knowledge"]);
  await expect(
    stack.sql("update public.studio_knowledge_documents set upload_key = $2 where id = $1", [id, stranger.id]),
  ).rejects.toThrow("foreign key");
  await stack.sql("delete from public.studio_api_keys where id = $1", [key]);
  expect(
    await stack.sql("select owner, upload_key from public.studio_knowledge_documents where id = $1", [id]),
  ).toEqual([{ owner: user.userId, upload_key: null }]);
  await work(vendorOf(() => 1));
});

it("S92 files of a key with a cap are claimed one after the other, others at once", async () => {
  const claim = async (worker: string) => {
    const [row] = await stack.sql<{ claimed: { name: string; leftUsd: number | null } | null }>(
      "select private.studio_claim_upload($1, $2) as claimed",
      [worker, user.userId],
    );
    return row?.claimed ?? null;
  };
  const capped = await openCollection(unembedded, { dayUsd: 1 });
  await capped.send("first", "Lamps are bright.");
  await capped.send("second", "Sofas are red.");
  expect(await claim("one")).toMatchObject({ name: "first", leftUsd: 1 });
  expect(await claim("two")).toBeNull();
  const free = await openCollection(unembedded, {});
  await free.send("third", "Desks are wide.");
  await free.send("fourth", "Chairs are blue.");
  expect(await claim("two")).toMatchObject({ name: "third", leftUsd: null });
  expect(await claim("three")).toMatchObject({ name: "fourth", leftUsd: null });
  expect(await claim("four")).toBeNull();
});
