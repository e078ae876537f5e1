import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  knowledgePage,
  startOwnKnowledge,
  type OwnKnowledge,
} from "../../../../supabase/local/testing/own-knowledge.ts";
import type { Host } from "../../../engine/host.ts";
import { realSleep } from "../../../engine/testing/real-sleep.ts";
import { testHost } from "../../../engine/testing/test-host.ts";
import { embedWords } from "../../../providers/demo/embeddings.ts";
import type { CollectionDraft, IngestSource, KnowledgeRepository } from "../../../services/knowledge.ts";
import { withoutLocks } from "../../shared/testing/without-locks.ts";
import { createIngest } from "./ingest.ts";
import { hasEnded, type IngestJob } from "./ingest-job.ts";

let alice: OwnKnowledge;
let repository: KnowledgeRepository;

beforeAll(async () => {
  alice = await startOwnKnowledge();
  repository = alice.repository;
});

afterAll(() => alice.stop());

const local = { provider: "openai-compatible", model: "mxbai-embed-large", credential: "c" };
const file = (name: string, text: string): IngestSource => ({ type: "file", name, blob: new Blob([text]) });

/** What the embedding server answers to its nth request with these texts. */
type Server = (texts: readonly string[], request: number) => Response;

const vectors = (texts: readonly string[]): Response =>
  Response.json({
    object: "list",
    model: local.model,
    data: embedWords(texts).map((embedding, index) => ({ object: "embedding", index, embedding })),
    usage: { prompt_tokens: texts.length * 10, total_tokens: texts.length * 10 },
  });

const refusal = (status: number, message = "Not now.") => Response.json({ error: { message } }, { status });

function hostWith(server: Server): Host {
  let requests = 0;
  const world = testHost({
    fetch: async (_connection, _input, init) => {
      const { input } = JSON.parse(String(init?.body)) as { input: string[] };
      requests += 1;
      return server(input, requests);
    },
  });
  return { ...world, sleep: (ms, signal) => realSleep(Math.min(ms, 1), signal) };
}

const openPage = (host: Host, over: Partial<KnowledgeRepository> = {}) =>
  createIngest(knowledgePage(alice, { host, over }));

/** Adds these files to a new collection and waits for all of them to end. */
async function ingest(
  sources: readonly IngestSource[],
  draft: Partial<CollectionDraft> = {},
  server: Server = vectors,
) {
  const { id } = await repository.create({ name: "Handbook", ...draft });
  const page = openPage(hostWith(server));
  page.add(id, sources);
  const ended = async (): Promise<readonly IngestJob[]> => {
    await vi.waitFor(
      () => {
        const open = page.store.getState().jobs.filter((job) => !hasEnded(job));
        if (open.length > 0) throw new Error(`${open.length} are still under way.`);
      },
      { timeout: 120_000, interval: 100 },
    );
    return page.store.getState().jobs;
  };
  return { id, page, ended, jobs: await ended() };
}

const search = (collection: string, text: string) =>
  repository.search({ collection, text, mode: "keyword", limit: 3, minScore: 0.9 });

const rows = Array.from({ length: 70 }, (_, n) => `${n},the answer number ${n}`).join("\n");
const table = file("table.csv", `id,text\n${rows}\n`);

describe("a tab that is closed in the middle", () => {
  it("leaves behind what the document cost so far, also where that was for nothing", async () => {
    withoutLocks();
    const embedding = { provider: "openai", model: "text-embedding-3-small", credential: "c" };
    const { id } = await repository.create({ name: "Handbook", embedding });
    const asked: number[] = [];
    const host = hostWith((texts) => {
      asked.push(texts.length);
      return vectors(texts);
    });
    let batches = 0;
    const dying = openPage(host, {
      addChunks: async (...given) => {
        batches += 1;
        if (batches > 1) return new Promise<void>(() => {});
        return await repository.addChunks(...given);
      },
    });
    dying.add(id, [table]);
    await vi.waitFor(() => expect(batches).toBe(2), 60_000);
    expect(await repository.documents(id)).toMatchObject([{ status: "pending", chunks: 64 }]);

    const reopened = openPage(host);
    await reopened.resume();
    await vi.waitFor(() => expect(reopened.store.getState().jobs).toMatchObject([{ status: "done" }]), 60_000);
    expect(asked).toEqual([64, 6, 6]);
    const [document] = await repository.documents(id);
    expect(document).toMatchObject({ status: "ready", chunks: 70 });
    // Ten tokens a text, at $0.02 for a million.
    expect(document?.costUsd).toBeCloseTo((76 * 10 * 0.02) / 1_000_000, 12);
  });
});

describe("a server that embeds badly", () => {
  it("is asked again while it is busy or unwell", async () => {
    const answers = [refusal(429), refusal(500), refusal(503)];
    const { id, jobs } = await ingest([table], { embedding: local }, (texts) => answers.shift() ?? vectors(texts));
    expect(jobs[0]).toMatchObject({ status: "done", progress: { done: 70, total: 70 } });
    expect(await repository.documents(id)).toMatchObject([{ status: "ready", chunks: 70 }]);
  });

  it("keeps what was stored before it failed for good, and goes on from there", async () => {
    let well = false;
    const asked: number[] = [];
    const { id, page, jobs, ended } = await ingest([table], { embedding: local }, (texts, request) => {
      asked.push(texts.length);
      return request === 1 || well ? vectors(texts) : refusal(401, "Wrong key.");
    });
    expect(jobs[0]).toMatchObject({ status: "failed", error: { message: expect.stringContaining("Wrong key.") } });
    expect(await repository.documents(id)).toMatchObject([{ status: "failed", chunks: 64 }]);
    well = true;
    page.retry(jobs[0]?.id ?? "");
    expect((await ended())[0]).toMatchObject({ status: "done" });
    expect(asked).toEqual([64, 6, 6]);
    expect(await repository.documents(id)).toMatchObject([{ status: "ready", error: null, chunks: 70 }]);
  });

  it("is asked for less when it answers half a batch", async () => {
    const server: Server = (texts) => vectors(texts.slice(0, 20));
    const { jobs } = await ingest([table], { embedding: local }, server);
    expect(jobs[0]).toMatchObject({ status: "done", progress: { done: 70, total: 70 } });
  });

  it("is not believed when its vectors suddenly have another length", async () => {
    const other: Server = (texts, request) =>
      request === 1
        ? vectors(texts)
        : Response.json({ data: texts.map((_text, index) => ({ index, embedding: [1, 2, 3] })) });
    const { id, jobs } = await ingest([table], { embedding: local }, other);
    expect(jobs[0]?.error?.message).toBe("The collection's vectors have 256 numbers, but the model gave 3.");
    expect(await repository.documents(id)).toMatchObject([{ status: "failed", chunks: 64 }]);
  });

  it("loses no chunk by one that is too long, which is found by its words", async () => {
    const server: Server = (texts) =>
      texts.some((text) => text.includes("marmalade"))
        ? refusal(400, "the input length exceeds the context length")
        : vectors(texts);
    const text =
      "# Tea\n\nGreen tea is not fermented.\n\n# Jam\n\nBitter oranges make marmalade.\n\n# Ink\n\nIron gall.";
    const { id, jobs } = await ingest([file("kitchen.md", text)], { embedding: local }, server);
    const message = expect.stringMatching(/^1 of 3 chunks is too long for mxbai-embed-large: 2 \(“Jam”\)/);
    expect(jobs[0]).toMatchObject({
      status: "failed",
      error: { message, hint: expect.stringContaining("chunk size") },
    });
    const [document] = await repository.documents(id);
    expect(document).toMatchObject({ status: "failed", chunks: 3, error: { message } });
    const chunks = await repository.chunks(document?.id ?? "", { from: 0, limit: 5 });
    expect(chunks.map(({ heading, embedded }) => [heading, embedded])).toEqual([
      ["Tea", true],
      ["Jam", false],
      ["Ink", true],
    ]);
    expect(await search(id, "marmalade")).toHaveLength(1);
  });
});

describe("a lot at once", () => {
  it("takes many files, and loses none by those that cannot be read", async () => {
    const files = Array.from({ length: 60 }, (_, n) =>
      n % 20 === 7 ? file(`${n}.json`, "{ broken") : file(`${n}.txt`, `File ${n} is about subject${n}.`),
    );
    const { id, jobs } = await ingest(files);
    expect(jobs.filter(({ status }) => status === "done")).toHaveLength(57);
    const failed = jobs.filter(({ status }) => status === "failed").map(({ name }) => name);
    expect(failed).toEqual(["7.json", "27.json", "47.json"]);
    expect(await repository.documents(id)).toHaveLength(57);
    expect((await repository.collection(id)).chunks).toBe(57);
  });

  it("takes a text of millions of characters, and says that 20 MB are too many", async () => {
    const sentence = "The quick brown fox jumps over the lazy dog again. ";
    const long = `${sentence.repeat(40_000)}\n\nThe needle lies at the very end.`;
    const { id, jobs } = await ingest([file("long.txt", long), file("huge.txt", sentence.repeat(411_000))]);
    expect(jobs).toMatchObject([
      { status: "done" },
      {
        status: "failed",
        error: {
          message: "The file has 21 million characters; 20 million are read.",
          hint: expect.stringContaining("Split it"),
        },
      },
    ]);
    expect((await search(id, "needle"))[0]?.content).toMatch(/The needle lies at the very end\.$/);
  });
});
