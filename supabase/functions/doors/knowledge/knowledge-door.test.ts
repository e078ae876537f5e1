import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleTable } from "../../../../src/engine/testing/sample-table.ts";
import { createKnowledgeRepository } from "../../../../src/state/knowledge/storage/knowledge-repository.ts";
import type { KnowledgeRepository } from "../../../../src/services/knowledge.ts";
import { startWorkerWorld, type WorkerWorld } from "../../../../worker/testing/worker-world.ts";
import { makePdf } from "../../../../src/documents/testing/make-pdf.ts";
import { signUp } from "../../../local/testing/clients.ts";
import { makeApiKey } from "../testing/api-keys.ts";

let world: WorkerWorld;
let repository: KnowledgeRepository;
let key: string;
let collection: string;

beforeAll(async () => {
  world = await startWorkerWorld();
  repository = createKnowledgeRepository(world.user.client);
  key = (await makeApiKey(world.user, ["knowledge"])).key;
  const demo = { provider: "demo", model: "words-256", credential: "" };
  collection = (await repository.create({ name: "Handbook", embedding: demo })).id;
});
afterAll(() => world.stop());

interface Sent {
  method?: string;
  body?: BodyInit;
  type?: string;
  withKey?: string;
  of?: string;
}

/** Calls the documents of a collection; gives the status and the body. */
async function call(path: string, { method = "GET", body, type, withKey = key, of = collection }: Sent = {}) {
  const response = await fetch(`${world.stack.url}/api/knowledge/${of}/documents${path}`, {
    method,
    headers: { authorization: `Bearer ${withKey}`, ...(type === undefined ? {} : { "content-type": type }) },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const send = (name: string, body: BodyInit, type = "application/octet-stream") =>
  call(`?name=${encodeURIComponent(name)}`, { method: "POST", body, type });

/** How a document stands once no worker has to read it any more. */
const settled = (name: string) =>
  world.eventually(async () => {
    const { body } = await call(`/${encodeURIComponent(name)}`);
    return body["status"] === "pending" ? undefined : body;
  });

const found = async (text: string) =>
  (await repository.search({ collection, text, mode: "keyword", limit: 5 })).map(({ content, metadata }) => ({
    content,
    ...metadata,
  }));

describe("documents by API key", () => {
  test("S90 a collection that is a table takes none", async () => {
    const { id } = await repository.create({ name: "Articles", table: sampleTable });
    const sent = await call("?name=a.txt", { method: "POST", body: "Lamps.", type: "text/plain", of: id });
    expect(sent).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("The collection is a Postgres table, which is only read.") },
    });
  });

  test("S90 a file becomes a document once, is replaced by its name, and is deleted", async () => {
    const first = await send("guides/returns.md", "# Returns\n\nLamps within thirty days.");
    expect(first).toMatchObject({ status: 202, body: { name: "guides/returns.md", status: "pending", size: 36 } });
    expect(await settled("guides/returns.md")).toMatchObject({ status: "ready", chunks: 1, error: null });
    expect(await found("lamps")).toMatchObject([
      { document: "guides/returns.md", heading: "Returns", untrusted: ["the knowledge API"] },
    ]);
    const [stored] = await repository.documents(collection);
    expect(await repository.storedChunks(stored?.id ?? "")).toMatchObject([{ embedded: true }]);

    expect(await send("guides/returns.md", "# Returns\n\nLamps within thirty days.")).toMatchObject({
      status: 200,
      body: { status: "ready", sha256: first.body["sha256"] },
    });
    expect(await send("guides/returns.md", "# Returns\n\nLamps within sixty days.")).toMatchObject({ status: 202 });
    await settled("guides/returns.md");
    expect(await found("lamps")).toMatchObject([{ content: "Lamps within sixty days." }]);
    expect(await repository.documents(collection)).toHaveLength(1);

    const remove = () => call("/guides%2Freturns.md", { method: "DELETE" });
    expect(await remove()).toEqual({ status: 200, body: { name: "guides/returns.md", deleted: 1 } });
    expect(await remove()).toEqual({ status: 200, body: { name: "guides/returns.md", deleted: 0 } });
    expect(await found("lamps")).toEqual([]);
    expect(await call("/guides%2Freturns.md")).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  test("takes a text as JSON and a file of a form, with where they came from", async () => {
    const text = JSON.stringify({ name: "note", text: "Sofas are red.", source: "https://a.test/note" });
    expect(await call("", { method: "POST", body: text, type: "application/json" })).toMatchObject({ status: 202 });
    const form = new FormData();
    form.set("file", new File(["item,colour\nChair,blue"], "stock.csv", { type: "text/csv" }));
    expect(await call("", { method: "POST", body: form })).toMatchObject({ status: 202, body: { name: "stock.csv" } });
    expect(await settled("note")).toMatchObject({ status: "ready", source: "https://a.test/note" });
    expect(await settled("stock.csv")).toMatchObject({ status: "ready" });
    expect(await found("blue")).toMatchObject([{ document: "stock.csv", row: 2 }]);
    const { body } = await call("");
    expect(body).toMatchObject({ documents: [{ name: "note" }, { name: "stock.csv" }], next: null });
    expect((await call("?after=note")).body).toMatchObject({ documents: [{ name: "stock.csv" }] });
  });

  test("keeps the file of a PDF, so that its pages can be shown", async () => {
    const pdf = makePdf([[{ text: "Desks are wide.", size: 12 }]]);
    expect(await send("desks.pdf", pdf, "application/pdf")).toMatchObject({ status: 202 });
    expect(await settled("desks.pdf")).toMatchObject({ status: "ready" });
    const [stored] = (await repository.documents(collection)).filter(({ name }) => name === "desks.pdf");
    const original = await repository.original(stored?.id ?? "");
    expect(await world.stack.sql("select size::int from public.studio_files where id = $1", [original])).toEqual([
      { size: pdf.byteLength },
    ]);
    await call("/desks.pdf", { method: "DELETE" });
  });

  test("takes metadata with a document, changes them without reading it again, and adds those of front matter", async () => {
    const file = "---\nteam: from the file\nyear: 2025\n---\nStools are low.";
    const described = (metadata: object) =>
      call(`?name=stools.md&metadata=${encodeURIComponent(JSON.stringify(metadata))}`, {
        method: "POST",
        body: file,
        type: "text/markdown",
      });
    expect(await described({ team: "sales", tags: ["low"] })).toMatchObject({ status: 202 });
    expect(await settled("stools.md")).toMatchObject({
      status: "ready",
      metadata: { team: "sales", year: 2025, tags: ["low"] },
    });
    expect(await described({ team: "support", tags: null })).toMatchObject({ status: 200, body: { status: "ready" } });
    expect((await call("/stools.md")).body).toMatchObject({ metadata: { team: "support", year: 2025 } });
    expect(await found("stools")).toMatchObject([{ team: "support", year: 2025 }]);

    const text = JSON.stringify({ name: "benches", text: "Benches are long.", metadata: { team: "sales" } });
    expect(await call("", { method: "POST", body: text, type: "application/json" })).toMatchObject({ status: 202 });
    const form = new FormData();
    form.set("file", new File(["Shelves are high."], "shelves.txt"));
    form.set("metadata", '{"team":"sales"}');
    expect(await call("", { method: "POST", body: form })).toMatchObject({ status: 202 });
    expect(await settled("benches")).toMatchObject({ metadata: { team: "sales" } });
    expect(await settled("shelves.txt")).toMatchObject({ metadata: { team: "sales" } });

    const many = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`field${index}`, index]));
    expect(await described(many)).toMatchObject({ status: 400, body: { code: "bad_request" } });
    for (const name of ["benches", "shelves.txt", "stools.md"]) await call(`/${name}`, { method: "DELETE" });
  });

  test("takes a file that is larger than other doors take, and refuses one that is larger than a document may be", async () => {
    const large = new Uint8Array(30 * 1024 * 1024).fill(120);
    // It is kept; that it is too long for a document is said there.
    expect(await send("large.txt", large)).toMatchObject({ status: 202, body: { size: large.byteLength } });
    expect(await settled("large.txt")).toMatchObject({ status: "failed", error: { message: expect.any(String) } });
    expect(await send("larger.txt", new Uint8Array(51 * 1024 * 1024))).toMatchObject({
      status: 413,
      body: { code: "too_large" },
    });
    const text = JSON.stringify({ name: "long", text: "x".repeat(17 * 1024 * 1024) });
    expect(await call("", { method: "POST", body: text, type: "application/json" })).toMatchObject({ status: 413 });
  });

  test("says in the document why a file is none, and takes another one in its place", async () => {
    expect(await send("empty.html", "<script>1</script>")).toMatchObject({ status: 202 });
    expect(await settled("empty.html")).toMatchObject({
      status: "failed",
      error: { message: '"empty.html" contains no text.', hint: expect.stringContaining("Save the page") },
    });
    const sentBytes = () =>
      world.stack.sql(
        `select sum(used.bytes)::int from private.studio_key_spending as used
         join public.studio_api_keys as keys on keys.id = used.key_id where keys.owner = $1`,
        [world.user.userId],
      );
    const before = await sentBytes();
    expect(await send("empty.html", "<script>1</script>")).toMatchObject({ status: 202 });
    await settled("empty.html");
    // The same file counts once in the key's day.
    expect(await sentBytes()).toEqual(before);
    await send("empty.html", "<p>Tables are round.</p>");
    expect(await settled("empty.html")).toMatchObject({ status: "ready", error: null });
  });

  test("refuses a picture before it takes any of the account's room", async () => {
    const room = () => world.stack.sql("select id from public.studio_files where owner = $1", [world.user.userId]);
    const before = (await room()).length;
    for (const [name, type] of [
      ["photo.png", "application/octet-stream"],
      ["photo", "image/png"],
      ["call.mp3", "audio/mpeg"],
    ] as const) {
      const refused = await send(name, "picture", type);
      expect(refused, name).toMatchObject({ status: 400, body: { detail: expect.stringContaining("no text") } });
    }
    expect(await room()).toHaveLength(before);
    expect(await send("drawing.svg", "<svg><text>Lamp</text></svg>", "image/svg+xml")).toMatchObject({ status: 202 });
    await settled("drawing.svg");
  });

  test("S95 a key sends at most half of what the account may store in a day, of which its owner is told, and no other key is kept from it", async () => {
    const { sql } = world.stack;
    const owner = await signUp(world.stack);
    const of = (await createKnowledgeRepository(owner.client).create({ name: "Shared" })).id;
    const [first, second] = [await makeApiKey(owner, ["knowledge"]), await makeApiKey(owner, ["knowledge"])];
    const workflow = crypto.randomUUID();
    await sql("insert into public.studio_workflows (id, owner, name, document) values ($1, $2, 'Told', '{}')", [
      workflow,
      owner.userId,
    ]);
    await sql(
      `insert into public.studio_publications (workflow_id, owner, slug, on_failure)
       values ($1, $2, $3, '{"url": "https://receiver.example"}')`,
      [workflow, owner.userId, `told-${workflow}`.slice(0, 40)],
    );
    const page = (bytes: number) => `<p>Lamps</p><script>${"x".repeat(bytes)}</script>`;
    const add = (name: string, bytes: number, { key: withKey } = first) =>
      call(`?name=${name}`, { method: "POST", body: page(bytes), type: "text/html", of, withKey });
    const kept = async () => (await sql("select from public.studio_files where owner = $1", [owner.userId])).length;
    await sql("select public.studio_set_quota('bytes', 3000000)");
    try {
      expect(await add("a.html", 900_000)).toMatchObject({ status: 202 });
      await world.eventually(async () => {
        const { body } = await call("/a.html", { of, withKey: first.key });
        return body["status"] === "ready" || undefined;
      });
      expect(await add("a.html", 900_000)).toMatchObject({ status: 200 });
      expect(await add("b.html", 400_000)).toMatchObject({ status: 202 });
      const files = await kept();
      const refusal = { status: 429, body: { code: "daily_share", detail: expect.stringContaining("This API key") } };
      expect(await add("c.html", 300_000)).toMatchObject(refusal);
      expect(await kept()).toBe(files);
      expect(await add("d.html", 300_000, second)).toMatchObject({ status: 202 });
      expect(
        await sql("select body ->> 'kind' as kind from private.studio_notices where workflow_id = $1", [workflow]),
      ).toEqual([{ kind: "share-near" }]);
    } finally {
      await sql("select public.studio_set_quota('bytes', 2000000000)");
    }
  });

  test("S65 a file that is not taken takes none of the account's room", async () => {
    const kept = () => world.stack.sql("select from public.studio_files where owner = $1", [world.user.userId]);
    await send("kept.txt", "Lamps.");
    await settled("kept.txt");
    const before = (await kept()).length;
    expect(await send("kept.txt", "Lamps.")).toMatchObject({ status: 200 });
    expect(await send("empty.txt", "")).toMatchObject({ status: 400 });
    expect(await kept()).toHaveLength(before);
  });

  test("S65 a file that a document holds is not discarded, though whoever sent it got no answer", async () => {
    const { sql } = world.stack;
    const pdf = makePdf([[{ text: "Stairs are steep.", size: 12 }]]);
    await send("stairs.pdf", pdf, "application/pdf");
    await settled("stairs.pdf");
    const ofOwner = "where name = 'stairs.pdf' and owner = $1";
    const [held] = await sql<{ file: string }>(
      `select original as file from public.studio_knowledge_documents ${ofOwner}`,
      [world.user.userId],
    );
    const isKept = async () => {
      await sql("select public.studio_discard_files($1, array[$2::uuid])", [world.user.userId, held?.file]);
      return (await sql("select from public.studio_files where id = $1", [held?.file])).length === 1;
    };
    expect(await isKept()).toBe(true);
    await sql(
      `update public.studio_knowledge_documents
       set upload = original, original = null, upload_due = now() + interval '1 day' ${ofOwner}`,
      [world.user.userId],
    );
    expect(await isKept()).toBe(true);
    await call("/stairs.pdf", { method: "DELETE" });
    expect(await isKept()).toBe(false);
  });

  test("S65 says why a file is not taken, even where it cannot be discarded", async () => {
    const { sql } = world.stack;
    await sql("alter function public.studio_discard_files(uuid, uuid[]) rename to studio_discard_files_away");
    try {
      expect(await send("empty.txt", "")).toMatchObject({
        status: 400,
        body: { detail: "The document is empty." },
      });
    } finally {
      await sql("alter function public.studio_discard_files_away(uuid, uuid[]) rename to studio_discard_files");
    }
  });

  test("a page cannot resume what waits for a worker, nor what was never read", async () => {
    await send("odd.html", "<script>2</script>");
    await settled("odd.html");
    const odd = (await repository.documents(collection)).find(({ name }) => name === "odd.html");
    expect(odd).toMatchObject({ status: "failed", waits: false });
    expect(await repository.beginIngest(odd?.id ?? "")).toMatchObject({ sections: [] });
    // A file that nobody takes, as where no worker runs.
    await world.stack.sql(
      `update public.studio_knowledge_documents as documents set status = 'pending', upload = files.id, upload_due = now() + interval '1 day'
       from (select id from public.studio_files where owner = $2 limit 1) as files where documents.id = $1`,
      [odd?.id, world.user.userId],
    );
    expect(await repository.document(odd?.id ?? "")).toMatchObject({ waits: true });
    expect((await repository.pendingDocuments(collection)).map(({ name }) => name)).not.toContain("odd.html");
    await expect(repository.beginIngest(odd?.id ?? "")).rejects.toMatchObject({ kind: "conflict" });
  });

  test("a file that a worker had when the studio broke off is read once the studio is there again", async () => {
    await send("odd.html", "<p>Shelves are flat.</p>");
    await settled("odd.html");
    const { sql } = world.stack;
    // As a studio leaves it that is cut off while a worker reads the file.
    await sql(
      `update public.studio_knowledge_documents as documents set status = 'pending', upload = files.id,
         upload_worker = 'studio-1', upload_due = now() + interval '15 minutes'
       from public.studio_files as files
       where documents.name = 'odd.html' and files.owner = documents.owner and files.name = 'odd.html'
         and files.sha256 = documents.file_sha256`,
    );
    expect((await call("/odd.html")).body).toMatchObject({ status: "pending" });
    await world.restart();
    expect(await settled("odd.html")).toMatchObject({ status: "ready", error: null });
  });

  test.each<[string, Sent & { path?: string }, number, string]>([
    ["no name", { body: "x", type: "text/plain" }, 400, "bad_request"],
    ["an empty file", { path: "?name=a.txt", body: "", type: "text/plain" }, 400, "bad_request"],
    ["a name with a line break", { path: "?name=a%0Ab", body: "x", type: "text/plain" }, 400, "bad_request"],
    ["a form without a file", { body: new FormData() }, 400, "bad_request"],
    ["metadata that are no JSON", { path: "?name=a&metadata=team", body: "x", type: "text/plain" }, 400, "bad_request"],
    ["metadata with a name that is taken", { path: '?name=a&metadata={"page":1}', body: "x" }, 400, "bad_request"],
    ["JSON with something else", { body: '{"name":"a","texts":[]}', type: "application/json" }, 400, "bad_request"],
    ["a collection that is none", { of: "handbook", body: "x" }, 404, "not_found"],
    ["a collection that does not exist", { of: "00000000-0000-4000-8000-000000000001", body: "x" }, 404, "not_found"],
  ])("refuses %s", async (_name, { path = "", ...sent }, status, code) => {
    expect(await call(path, { method: "POST", ...sent })).toMatchObject({ status, body: { code } });
  });

  test("S73 is for keys that may change documents, and for the collections of their owner", async () => {
    const runner = (await makeApiKey(world.user, ["run:*", "runs:read", "approve"])).key;
    const stranger = (await makeApiKey(await signUp(world.stack), ["knowledge"])).key;
    const each: [string, Sent][] = [
      ["", {}],
      ["?name=a.txt", { method: "POST", body: "Lamps.", type: "text/plain" }],
      ["/note", {}],
      ["/note", { method: "DELETE" }],
    ];
    for (const [path, sent] of each) {
      expect(await call(path, { ...sent, withKey: runner })).toMatchObject({
        status: 403,
        body: { code: "forbidden" },
      });
      expect(await call(path, { ...sent, withKey: stranger })).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
      expect(await call(path, { ...sent, withKey: "none" })).toMatchObject({ status: 401 });
    }
    expect(await settled("note")).toMatchObject({ status: "ready" });
  });
});
