import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { KnowledgeEmbedding } from "../../src/engine/knowledge/knowledge.ts";
import type { KnowledgeRepository } from "../../src/services/knowledge.ts";
import { newSource, type SourceDraft, type SourceSummary, type WebSources } from "../../src/services/web-sources.ts";
import { createKnowledgeRepository } from "../../src/state/knowledge/storage/knowledge-repository.ts";
import { createWebSources } from "../../src/state/knowledge/storage/web-sources.ts";
import { saveTestCredential } from "../../supabase/functions/_shared/testing/call-function.ts";
import { type LoopbackServer, startLoopbackServer } from "../../supabase/functions/_shared/testing/loopback-server.ts";
import { type SignedIn, signUp } from "../../supabase/local/testing/clients.ts";
import { startTestStack, type TestStack } from "../../supabase/local/testing/start-stack.ts";
import { statementsOn } from "../../supabase/local/workers/worker-statements.ts";
import { rememberTokens, signAccountToken } from "../account-tokens.ts";
import { NoAnswer } from "../sql-door.ts";
import { reloadSourceOf } from "./reload-source.ts";
import { createRobotsCache } from "./robots-cache.ts";
import { htmlPage, sitemap, type SourceSite, startSourceSite } from "../testing/source-site.ts";

let site: SourceSite;
let vendor: LoopbackServer;
/** Words that the vendor made vectors of. */
let embedded: string[] = [];
let stack: TestStack;
let user: SignedIn;
let knowledge: KnowledgeRepository;
let sources: WebSources;
let collection: string;

beforeAll(async () => {
  site = await startSourceSite();
  vendor = await startLoopbackServer((_request, response) => {
    const { input } = JSON.parse(vendor.seen.at(-1)?.body ?? "{}") as { input: string[] };
    embedded.push(...input);
    const data = input.map((_text, index) => ({ object: "embedding", index, embedding: [1, 0, 0] }));
    const usage = { prompt_tokens: 7, total_tokens: 7 };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ object: "list", model: "vectors", data, usage }));
  });
  stack = await startTestStack({ functions: true, workers: 0, allowHosts: `${site.host},${vendor.host}` });
  user = await signUp(stack);
  knowledge = createKnowledgeRepository(user.client);
  sources = createWebSources(user.client);
});
afterAll(async () => {
  await stack?.stop();
  await Promise.all([site?.stop(), vendor?.stop()]);
});

const begin = async (embedding: KnowledgeEmbedding | null = null) => {
  collection = (await knowledge.create({ name: "Followed", embedding })).id;
};

beforeEach(async () => {
  site.pages.clear();
  site.asked();
  embedded = [];
  await stack.sql("delete from public.studio_knowledge_sources");
  await begin();
});

const add = (draft: Partial<SourceDraft>) =>
  sources.save(collection, { ...newSource, ...draft, url: draft.url ?? `${site.origin}/` });

/** Works on everything that is due, with a new look at every robots.txt. */
async function work(owner = user.userId): Promise<void> {
  const client = stack.database.connect();
  try {
    const options = {
      worker: "test",
      door: statementsOn(client),
      tokens: rememberTokens((of) => signAccountToken(of, stack.jwtSecret)),
      url: stack.url,
      publishableKey: stack.key,
      robots: createRobotsCache(),
      gapMs: 0,
    };
    while (await reloadSourceOf(owner, options));
  } finally {
    client.close();
  }
}

async function only(): Promise<SourceSummary> {
  const [source, ...others] = await sources.list(collection);
  expect(others).toEqual([]);
  if (source === undefined) throw new Error("There is no source.");
  return source;
}

/** Reloads the only source, and gives it. */
async function reload(accept = false): Promise<SourceSummary> {
  await sources.reload((await only()).id, { accept });
  await work();
  return only();
}

const names = async () => (await knowledge.documents(collection)).map(({ name }) => name).toSorted();

const found = async (text: string) =>
  (await knowledge.search({ collection, text, mode: "keyword", limit: 5 })).map(({ metadata }) => metadata["document"]);

describe("a source of a collection", () => {
  test("S90 is a page, whose title and address its document has, and whose text is from outside", async () => {
    site.pages.set("/", htmlPage("Returns", "Lamps within thirty days."));
    await add({ kind: "page" });
    expect(await only()).toMatchObject({ state: "idle", last: null, documents: 0 });
    await work();
    expect(await only()).toMatchObject({
      state: "idle",
      documents: 1,
      failures: [],
      last: { added: 1, changed: 0, failed: 0, error: null, costUsd: 0 },
    });
    const [document] = await knowledge.documents(collection);
    expect(document).toMatchObject({ name: "Returns", source: `${site.origin}/`, status: "ready", kind: "html" });
    const [hit] = await knowledge.search({ collection, text: "lamps", mode: "keyword", limit: 1 });
    expect(hit?.metadata["untrusted"]).toEqual([site.origin]);
  });

  test("reads and stores only what has changed, and follows a new title", async () => {
    site.pages.set("/sitemap.xml", sitemap([`${site.origin}/a`, `${site.origin}/b`]));
    site.pages.set("/a", htmlPage("A", "Lamps are green."));
    site.pages.set("/b", htmlPage("B", "Chairs are red."));
    await add({ kind: "sitemap", url: `${site.origin}/sitemap.xml` });
    await work();
    expect(await names()).toEqual(["A", "B"]);
    const before = await knowledge.documents(collection);

    site.pages.set("/b", htmlPage("B again", "Chairs are blue."));
    site.asked();
    expect((await reload()).last).toMatchObject({ added: 0, changed: 1, unchanged: 1 });
    expect(site.asked()).toEqual(["404 /robots.txt", "200 /sitemap.xml", "304 /a", "200 /b"]);
    const after = await knowledge.documents(collection);
    expect(after.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted());
    expect(await names()).toEqual(["A", "B again"]);
    expect(await found("blue")).toEqual(["B again"]);
    expect(await found("red")).toEqual([]);

    // A host without ETags: the same bytes are noticed all the same.
    site.pages.set("/b", { body: htmlPage("B again", "Chairs are blue."), headers: { etag: "" } });
    expect((await reload()).last).toMatchObject({ changed: 0, unchanged: 2 });
  });

  test("lets pages go that three reloads did not find, and brings back one that is there again", async () => {
    site.pages.set("/sitemap.xml", sitemap([`${site.origin}/a`, `${site.origin}/b`, `${site.origin}/c`]));
    for (const page of ["a", "b", "c"]) site.pages.set(`/${page}`, htmlPage(page.toUpperCase(), `About ${page}.`));
    await add({ kind: "sitemap", url: `${site.origin}/sitemap.xml` });
    await work();

    // One is listed no more, one is not there any more.
    site.pages.set("/sitemap.xml", sitemap([`${site.origin}/a`, `${site.origin}/b`]));
    site.pages.delete("/b");
    expect((await reload()).last).toMatchObject({ removed: 0, gone: 1 });
    expect((await reload()).last).toMatchObject({ removed: 0 });
    expect(await names()).toEqual(["A", "B", "C"]);

    // A reload that is not complete says nothing about what it has not found.
    site.pages.set("/sitemap.xml", { status: 500 });
    expect((await reload()).last?.error?.message).toBe("The host answered with status 500.");
    site.pages.set("/sitemap.xml", sitemap([`${site.origin}/a`, `${site.origin}/b`]));
    expect((await reload()).last).toMatchObject({ removed: 2, error: null });
    expect(await names()).toEqual(["A"]);

    site.pages.set("/b", htmlPage("B", "About b."));
    expect((await reload()).last).toMatchObject({ added: 1 });
    expect(await names()).toEqual(["A", "B"]);
  });

  test("is a site: follows links as deep as it says, within its patterns and the host's robots.txt", async () => {
    site.pages.set("/robots.txt", "User-agent: *\nDisallow: /private");
    site.pages.set("/", htmlPage("Start", "Welcome.", ["/one", "/private/x", "/out/y", "https://b.test/", "/p.png"]));
    site.pages.set("/one", htmlPage("One", "First.", ["/two#part", "/"]));
    site.pages.set("/two", htmlPage("Two", "Second.", ["/three"]));
    site.pages.set("/three", htmlPage("Three", "Third."));
    await add({ kind: "site", depth: 2, exclude: ["/out/*"] });
    await work();
    expect(site.asked()).toEqual(["200 /robots.txt", "200 /", "200 /one", "200 /two"]);
    expect(await names()).toEqual(["One", "Start", "Two"]);
    expect(await only()).toMatchObject({
      last: { added: 3, failed: 1, cut: false },
      failures: [{ url: `${site.origin}/private/x`, message: expect.stringContaining("robots.txt") }],
    });

    // Unchanged pages lead on, and a page whose link is gone leaves.
    site.pages.set("/one", htmlPage("One", "First.", ["/"]));
    for (let reloads = 0; reloads < 3; reloads += 1) await reload();
    expect(await names()).toEqual(["One", "Start"]);
  });

  test("is a site whose address redirects, and whose pages do", async () => {
    site.pages.set("/", { status: 301, headers: { location: "/home" } });
    site.pages.set("/home", htmlPage("Home", "Welcome.", ["/", "/home", "/old", "/away"]));
    site.pages.set("/old", { status: 302, headers: { location: "/new" } });
    site.pages.set("/away", { status: 302, headers: { location: "http://b.test/" } });
    site.pages.set("/new", htmlPage("New", "Moved."));
    await add({ kind: "site" });
    await work();
    expect(await names()).toEqual(["Home", "New"]);
    expect((await only()).last).toMatchObject({ added: 2, failed: 0 });
  });

  test("is a feed, whose articles stay when it lists them no more", async () => {
    const feed = (...paths: string[]) =>
      `<rss><channel>${paths.map((path) => `<item><link>${site.origin}${path}</link></item>`).join("")}</channel></rss>`;
    site.pages.set("/feed.xml", feed("/one"));
    site.pages.set("/one", htmlPage("News", "First."));
    site.pages.set("/two", htmlPage("News", "Second."));
    await add({ kind: "feed", url: `${site.origin}/feed.xml` });
    await work();
    site.pages.set("/feed.xml", feed("/two"));
    for (let reloads = 0; reloads < 4; reloads += 1) await reload();
    // Of two with one title, the second has its address besides.
    expect(await names()).toEqual(["News", `News (${site.origin}/two)`]);
  });

  test("has a document for each address, whatever brought it", async () => {
    site.pages.set("/", htmlPage("Start", "Welcome."));
    await add({ kind: "page" });
    await add({ kind: "page" });
    await work();
    expect(await names()).toEqual(["Start"]);
    const [first, second] = await sources.list(collection);
    expect(await sources.remove(first?.id ?? "", { withDocuments: true })).toBe(0);
    expect(await names()).toEqual(["Start"]);
    expect(await sources.remove(second?.id ?? "", { withDocuments: true })).toBe(1);
    expect(await names()).toEqual([]);
  });

  test("leaves its documents where it is deleted without them", async () => {
    site.pages.set("/", htmlPage("Start", "Welcome."));
    await add({ kind: "page" });
    await work();
    expect(await sources.remove((await only()).id, { withDocuments: false })).toBe(0);
    expect(await names()).toEqual(["Start"]);
    expect(await sources.list(collection)).toEqual([]);
  });

  test("reads no more pages than it may have, and removes none for that", async () => {
    const pages = ["/a", "/b", "/c"];
    for (const page of pages) site.pages.set(page, htmlPage(page, `About ${page}.`));
    site.pages.set("/sitemap.xml", sitemap(pages.map((page) => site.origin + page)));
    await add({ kind: "sitemap", url: `${site.origin}/sitemap.xml`, maxPages: 2 });
    await work();
    expect(await names()).toEqual(["/a", "/b"]);
    expect((await only()).last).toMatchObject({ added: 2, cut: true });
  });

  test("comes due again after its interval, and at once when it is to find other pages", async () => {
    site.pages.set("/", htmlPage("Start", "Welcome."));
    await add({ kind: "page", everyHours: 6 });
    await work();
    const { id, last, dueAt } = await only();
    expect(Date.parse(dueAt ?? "") - Date.parse(last?.endedAt ?? "")).toBe(6 * 3_600_000);
    site.asked();
    await work();
    expect(site.asked()).toEqual([]);

    await sources.save(collection, { ...newSource, url: `${site.origin}/`, everyHours: null }, id);
    expect(await only()).toMatchObject({ dueAt: null, everyHours: null });
    site.pages.set("/other", htmlPage("Other", "Elsewhere."));
    await sources.save(collection, { ...newSource, url: `${site.origin}/other`, everyHours: null }, id);
    await work();
    expect(await names()).toEqual(["Other", "Start"]);
  });
});

describe("what is wrong with a source", () => {
  test.each([
    ["a page that is not there", "page", undefined, "The host answered with status 404: no such page."],
    ["a page that may not be seen", "page", { status: 403 }, "The host answered with status 403."],
    ["a page without text", "page", "<html><body></body></html>", "contains no text."],
    ["a file", "page", { headers: { "content-type": "image/png" }, body: "x" }, "leads to image/png, not to text."],
    ["a page instead of a sitemap", "sitemap", htmlPage("A", "B"), "This is no sitemap."],
    ["a page instead of a feed", "feed", htmlPage("A", "B"), "This is no RSS or Atom feed."],
    ["a circle", "page", { status: 302, headers: { location: "/" } }, "The address redirects more than 5 times."],
    ["another site", "site", { status: 302, headers: { location: "http://b.test/" } }, "redirects to another site."],
    ["no web address", "page", { status: 302, headers: { location: "ftp://b.test/" } }, "redirects to ftp:"],
  ] as const)("stands there: %s", async (_what, kind, page, message) => {
    if (page !== undefined) site.pages.set("/", page);
    await add({ kind });
    await work();
    expect((await only()).last?.error?.message).toContain(message);
    expect(await names()).toEqual([]);
  });

  test("S1 it leads to a private address, by itself or by a redirect", async () => {
    site.pages.set("/", { status: 302, headers: { location: "http://169.254.169.254/latest/meta-data" } });
    await add({ kind: "page" });
    await add({ kind: "page", url: "http://10.0.0.1/" });
    await work();
    for (const { last } of await sources.list(collection)) {
      expect(last?.error?.message).toMatch(/robots\.txt .* could not be read: .*(private|not allowed|reserved|link)/i);
    }
    expect(await names()).toEqual([]);
  });

  test("a robots.txt that cannot be read allows nothing", async () => {
    site.pages.set("/robots.txt", { status: 503 });
    site.pages.set("/", htmlPage("Start", "Welcome."));
    await add({ kind: "page" });
    await work();
    expect((await only()).last?.error?.message).toContain("could not be read: The host answered with status 503.");
    expect(site.asked()).toEqual(["503 /robots.txt"]);
  });

  test("S65 the account is full: it stands there, the owner is told, and other accounts go on", async () => {
    const other = await signUp(stack);
    site.pages.set("/", htmlPage("Start", "Welcome."));
    await add({ kind: "page" });
    await stack.sql("update private.studio_usage set documents = 1e9 where owner = $1", [user.userId]);
    try {
      await expect(work()).rejects.toThrow("Your account has reached its limit of documents");
      expect((await only()).last?.error?.message).toContain("limit of documents");
    } finally {
      await stack.sql("update private.studio_usage set documents = 1 where owner = $1", [user.userId]);
    }
    const theirs = (await createKnowledgeRepository(other.client).create({ name: "Theirs" })).id;
    await createWebSources(other.client).save(theirs, { ...newSource, url: `${site.origin}/` });
    await work(other.userId);
    expect(await createWebSources(other.client).list(theirs)).toMatchObject([{ documents: 1 }]);
    expect(await reload()).toMatchObject({ documents: 1, last: { error: null } });
  });

  test("S38 nobody has a source loaded, changed, deleted or listed but its owner", async () => {
    await add({ kind: "page" });
    const { id } = await only();
    const theirs = createWebSources((await signUp(stack)).client);
    expect(await theirs.list(collection)).toEqual([]);
    await expect(theirs.reload(id, { accept: true })).rejects.toMatchObject({ kind: "not-found" });
    await expect(theirs.remove(id, { withDocuments: true })).rejects.toMatchObject({ kind: "not-found" });
    await expect(theirs.save(collection, { ...newSource, url: "https://b.test/" }, id)).rejects.toMatchObject({
      kind: "not-found",
    });
    await expect(sources.save(collection, { ...newSource, url: "ftp://b.test/" })).rejects.toMatchObject({
      kind: "invalid",
    });
  });
});

interface Turn {
  id: string;
  turn: string;
}

describe("S81 a turn at a source", () => {
  test("ends when another one begins: what it still sends changes nothing", async () => {
    site.pages.set("/", htmlPage("Start", "Welcome."));
    await add({ kind: "page" });
    const client = stack.database.connect();
    const door = statementsOn(client);
    const claim = async () =>
      (await door.ask("claimSource", ["worker", user.userId, "[]"]))[0]?.["answer"] as Turn | null;
    const late = await claim();
    expect(await claim()).toBeNull();
    await stack.sql("update public.studio_knowledge_sources set due_at = now() where id = $1", [late?.id]);
    await work();
    expect((await only()).last).toMatchObject({ added: 1 });
    const own = [user.userId, late?.id ?? "", late?.turn ?? ""];
    const gone = { message: "Late", hint: "" };
    await door.ask("endSource", [...own, JSON.stringify(gone)]);
    await door.ask("leaveSource", [...own, 0]);
    expect(await door.ask("nextSourcePage", own)).toEqual([{ answer: null }]);
    expect(await door.ask("nameSourceDocument", [...own, null, "A", "https://a.test/"])).toEqual([{ answer: null }]);
    expect(await only()).toMatchObject({ state: "idle", last: { added: 1, error: null } });
    client.close();
  });

  test("asks a host no faster than it says, whoever asks", async () => {
    const client = stack.database.connect();
    const door = statementsOn(client);
    const take = async (host: string) =>
      Number((await door.ask("takeHostTurn", [user.userId, host, 60_000]))[0]?.["answer"]);
    expect(await take("slow.test")).toBe(0);
    expect(await take("slow.test")).toBeGreaterThan(50_000);
    expect(await take("slow.test")).toBeGreaterThan(110_000);
    expect(await take("other.test")).toBe(0);
    client.close();
  });

  test("goes on later where the functions do not answer", async () => {
    site.pages.set("/", htmlPage("Start", "Welcome."));
    await add({ kind: "page" });
    const client = stack.database.connect();
    const away = {
      worker: "test",
      door: statementsOn(client),
      tokens: rememberTokens((of) => signAccountToken(of, stack.jwtSecret)),
      url: stack.url,
      publishableKey: stack.key,
      robots: createRobotsCache(),
      gapMs: 0,
      fetch: ((input, init) => {
        const { url } = new Request(input, init);
        return url.includes("/functions/") ? Promise.reject(new TypeError("No.")) : fetch(input, init);
      }) satisfies typeof fetch,
    };
    await expect(reloadSourceOf(user.userId, away)).rejects.toBeInstanceOf(NoAnswer);
    client.close();
    expect(await only()).toMatchObject({ state: "running", last: null });
    await stack.sql("update public.studio_knowledge_sources set due_at = now() where collection_id = $1", [collection]);
    await work();
    expect(await only()).toMatchObject({ state: "idle", last: { added: 1 } });
  });
});

describe("what embedding a source costs", () => {
  beforeEach(async () => {
    const fields = { baseUrl: `http://${vendor.host}/v1`, apiKey: "test-key-vectors-0123456789" };
    const credential = await saveTestCredential(stack, user.accessToken, { type: "openai-compatible", fields });
    await begin({ provider: "openai-compatible", model: "vectors", credential });
    site.pages.set("/", htmlPage("Start", "Lamps are green.", ["/one"]));
    site.pages.set("/one", htmlPage("One", "Chairs are red."));
  });

  test("is counted first, and nothing is embedded until it is accepted", async () => {
    await add({ kind: "site", maxTokens: 1_000 });
    await work();
    const counted = await only();
    expect(counted).toMatchObject({ state: "asking", documents: 0, dueAt: null, last: { counted: true, added: 2 } });
    expect(counted.last?.tokens).toBeGreaterThan(5);
    expect(embedded).toEqual([]);

    expect(await reload(true)).toMatchObject({
      state: "idle",
      documents: 2,
      last: { counted: false, added: 2, tokens: 14, costUsd: null },
    });
    expect(embedded).toHaveLength(2);
    // Accepted once, it is reloaded without a question, and only the changed page is embedded.
    site.pages.set("/one", htmlPage("One", "Chairs are blue."));
    expect((await reload()).last).toMatchObject({ changed: 1, unchanged: 1, tokens: 7 });
    expect(embedded).toHaveLength(3);
  });

  test("is limited for each reload, which says so and keeps what it has", async () => {
    site.pages.set("/one", htmlPage("One", "Chairs and tables. ".repeat(400)));
    await add({ kind: "site", maxTokens: 1_000 });
    await work();
    const stopped = await reload(true);
    expect(stopped.last?.error?.message).toContain("would embed more than 1,000 tokens");
    expect(await names()).toEqual(["Start"]);
  });

  test("a key that is refused stops the reload instead of failing page by page", async () => {
    await begin({ provider: "openai-compatible", model: "vectors", credential: crypto.randomUUID() });
    await add({ kind: "site" });
    await work();
    const { last } = await reload(true);
    expect(last).toMatchObject({ added: 0, failed: 0, error: { message: expect.stringContaining("credential") } });
  });
});
