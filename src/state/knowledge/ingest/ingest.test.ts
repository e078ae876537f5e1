import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  knowledgePage,
  startOwnKnowledge,
  type OwnKnowledge,
} from "../../../../supabase/local/testing/own-knowledge.ts";
import { testHost } from "../../../engine/testing/test-host.ts";
import type { Host } from "../../../engine/host.ts";
import { createPendingSources } from "../storage/pending-sources.ts";
import type {
  CollectionDraft,
  IngestSource,
  KnowledgeRepository,
  PendingSources,
} from "../../../services/knowledge.ts";
import { withoutLocks } from "../../shared/testing/without-locks.ts";
import { createIngest, type Ingest } from "./ingest.ts";
import { hasEnded, type IngestJob } from "./ingest-job.ts";

let alice: OwnKnowledge;
let repository: KnowledgeRepository;
let pending: PendingSources;
let signOut: () => void;

beforeAll(async () => {
  alice = await startOwnKnowledge();
  repository = alice.repository;
});

beforeEach(() => {
  pending = createPendingSources(undefined);
});

afterAll(() => alice.stop());

const demo = { provider: "demo", model: "words-256", credential: "" };

/** A page with an ingest; `over` replaces parts of the repository, `host` answers embedding requests. */
function openPage(over: Partial<KnowledgeRepository> = {}, host: Host = testHost()): Ingest {
  const page = knowledgePage(alice, { over, host, pending });
  signOut = page.signOut;
  return createIngest(page);
}

const collection = (draft: Partial<CollectionDraft> = {}) => repository.create({ name: "Handbook", ...draft });

const paste = (name: string, text: string): IngestSource => ({ type: "paste", name, text });
const file = (name: string, text: string | Uint8Array<ArrayBuffer>): IngestSource => ({
  type: "file",
  name,
  blob: new Blob([text]),
});

async function ended(ingest: Ingest, count = 1): Promise<readonly IngestJob[]> {
  await vi.waitFor(() => {
    const { jobs } = ingest.store.getState();
    if (jobs.filter(hasEnded).length < count) throw new Error(JSON.stringify(jobs));
  }, 60_000);
  return ingest.store.getState().jobs;
}

const handbook =
  "# Holidays\n\nThirty days a year.\n\n# Office\n\nOpens at eight.\n\n## Parking\n\nFree for visitors.\n";

describe("ingest into a real database", () => {
  it("reads, cuts, embeds and stores a document, which is then found", async () => {
    const { id } = await collection({ embedding: demo });
    const ingest = openPage();
    ingest.add(id, [file("handbook.md", handbook)]);
    const [job] = await ended(ingest);
    expect(job).toMatchObject({
      status: "done",
      outcome: { type: "added" },
      progress: { done: 3, total: 3 },
      costUsd: 0,
      error: null,
    });
    const [document] = await repository.documents(id);
    expect(document).toMatchObject({ name: "handbook.md", kind: "markdown", status: "ready", chunks: 3, costUsd: 0 });
    const chunks = await repository.chunks(document?.id ?? "", { from: 0, limit: 10 });
    expect(chunks.map(({ heading, content, embedded }) => [heading, content, embedded])).toEqual([
      ["Holidays", "Thirty days a year.", true],
      ["Office", "Opens at eight.", true],
      ["Office › Parking", "Free for visitors.", true],
    ]);
    const hits = await repository.search({ collection: id, text: "parking", mode: "keyword", limit: 3 });
    expect(hits[0]).toMatchObject({ metadata: { document: "handbook.md", heading: "Office › Parking", position: 2 } });
    expect((await repository.collection(id)).dimension).toBe(256);
    const around = await repository.around(chunks[1]?.id ?? "", 1);
    expect(around.chunks.map((chunk) => chunk.position)).toEqual([0, 1, 2]);
    expect(await pending.list(alice.userId)).toEqual([]);
  });

  it("needs no vectors for a keyword collection", async () => {
    const { id } = await collection();
    const ingest = openPage();
    ingest.add(id, [paste("Note", "The gate code changes on Mondays.")]);
    expect((await ended(ingest))[0]).toMatchObject({ status: "done", costUsd: null });
    expect(await repository.search({ collection: id, text: "gate code", mode: "hybrid", limit: 3 })).toHaveLength(1);
  });

  it("loses no document by another's failure, and says why each failed", async () => {
    const { id } = await collection();
    const ingest = openPage();
    ingest.add(id, [
      file("broken.json", "{ nothing"),
      file("program.exe", new Uint8Array([77, 90, 0, 3, 0])),
      file("empty.txt", "  \n "),
      file("good.txt", "This one is fine."),
      { type: "url", url: "ftp://example.com/x" },
    ]);
    const jobs = await ended(ingest, 5);
    expect(jobs.map((job) => [job.name, job.status, job.error?.message])).toEqual([
      ["broken.json", "failed", expect.stringContaining("not valid JSON")],
      ["program.exe", "failed", expect.stringContaining("cannot be read")],
      ["empty.txt", "failed", '"empty.txt" contains no text.'],
      ["good.txt", "done", undefined],
      ["ftp://example.com/x", "failed", expect.stringContaining("is not a web address")],
    ]);
    expect((await repository.documents(id)).map((document) => document.name)).toEqual(["good.txt"]);
  });

  it("notices what is there already, under the same or another name", async () => {
    const { id } = await collection();
    const ingest = openPage();
    ingest.add(id, [file("a.txt", "The same text.")]);
    await ended(ingest);
    ingest.add(id, [file("a.txt", "The same text."), file("b.txt", "The same text.")]);
    const jobs = await ended(ingest, 3);
    expect(jobs.slice(1).map((job) => job.outcome)).toEqual([
      { type: "unchanged" },
      { type: "duplicate", of: "a.txt" },
    ]);
    expect(await repository.documents(id)).toHaveLength(1);
  });

  it("embeds only what changed when a file is added again", async () => {
    const { id } = await collection({ embedding: demo });
    const ingest = openPage();
    ingest.add(id, [file("handbook.md", handbook)]);
    await ended(ingest);
    const [document] = await repository.documents(id);
    const before = await repository.storedChunks(document?.id ?? "");
    const stored: number[] = [];
    const again = openPage({
      addChunks: (documentId, chunks, model) => {
        stored.push(chunks.length);
        return repository.addChunks(documentId, chunks, model);
      },
    });
    const changed = handbook
      .replace("Opens at eight.", "Opens at nine.")
      .replace("# Holidays", "# New\n\nFirst.\n\n# Holidays");
    again.add(id, [file("handbook.md", changed)]);
    expect((await ended(again))[0]?.outcome).toEqual({ type: "updated", kept: 2, added: 2, removed: 1 });
    expect(stored).toEqual([2]);
    const after = await repository.storedChunks(document?.id ?? "");
    expect(after.map((chunk) => chunk.position)).toEqual([0, 1, 2, 3]);
    // Moved, but the same rows with their vectors.
    expect([after[1]?.id, after[3]?.id]).toEqual([before[0]?.id, before[2]?.id]);
    expect(await repository.documents(id)).toHaveLength(1);
  });

  it("goes on after a reload: with what was read, and with what waited to be read", async () => {
    withoutLocks();
    const { id } = await collection({ embedding: demo });
    // The page dies while the first document's chunks are on their way and before the third is read.
    const dying = openPage({ addChunks: () => new Promise(() => {}) });
    dying.add(
      id,
      ["one", "two", "three"].map((name) => file(`${name}.txt`, `Document ${name}.`)),
    );
    await vi.waitFor(async () => {
      expect(await repository.pendingDocuments(id)).toHaveLength(2);
      expect(await pending.list(alice.userId)).toHaveLength(1);
    }, 60_000);

    const reopened = openPage();
    await reopened.resume();
    await reopened.resume();
    const jobs = await ended(reopened, 3);
    expect(jobs.map((job) => job.status)).toEqual(["done", "done", "done"]);
    expect((await repository.documents(id)).map(({ name, status }) => `${name} ${status}`).toSorted()).toEqual([
      "one.txt ready",
      "three.txt ready",
      "two.txt ready",
    ]);
    expect(await pending.list(alice.userId)).toEqual([]);
    expect(await pending.list("somebody else")).toEqual([]);
  });

  it("stops at a word, keeps what it stored, and goes on from there", async () => {
    const { id } = await collection({ chunking: { size: 50, overlap: 0 } });
    let batches = 0;
    const ingest = openPage({
      addChunks: async (documentId, chunks, model) => {
        await repository.addChunks(documentId, chunks, model);
        batches += 1;
        const [job] = ingest.store.getState().jobs;
        if (batches === 1 && job) ingest.cancel(job.id);
      },
    });
    const long = Array.from({ length: 300 }, (_, n) => `Sentence number ${n} of a long document that is cut.`).join(
      "\n\n",
    );
    ingest.add(id, [file("long.txt", long)]);
    await ended(ingest);
    const [job] = ingest.store.getState().jobs;
    expect(job).toMatchObject({ status: "cancelled", error: null });
    const documentId = job?.documentId ?? "";
    await vi.waitFor(async () => {
      const [document] = await repository.documents(id);
      expect(document).toMatchObject({ status: "failed", error: { message: expect.stringContaining("stopped") } });
    }, 60_000);
    const kept = await repository.storedChunks(documentId);
    expect(kept).toHaveLength(64);
    ingest.retry(job?.id ?? "");
    await vi.waitFor(() => expect(ingest.store.getState().jobs[0]?.status).toBe("done"), 60_000);
    const all = await repository.storedChunks(documentId);
    expect(all.length).toBeGreaterThan(64);
    expect(all.map((chunk) => chunk.id)).toEqual(expect.arrayContaining(kept.map((chunk) => chunk.id)));
    expect((await repository.documents(id))[0]).toMatchObject({ status: "ready", error: null, chunks: all.length });
  });

  it("cuts all documents again by a new chunking", async () => {
    const { id } = await collection();
    const ingest = openPage();
    ingest.add(id, [
      file("text.txt", Array.from({ length: 40 }, (_, n) => `Line ${n} says something of its own.`).join("\n")),
    ]);
    await ended(ingest);
    expect((await repository.collection(id)).chunks).toBe(1);
    await repository.update(id, { chunking: { size: 60, overlap: 10 } });
    await ingest.rechunk(id);
    await vi.waitFor(async () => expect((await repository.collection(id)).chunks).toBeGreaterThan(4), 60_000);
  });

  it("embeds everything again with another model, and refuses vectors that do not fit", async () => {
    const { id } = await collection();
    const ingest = openPage();
    ingest.add(id, [file("handbook.md", handbook)]);
    await ended(ingest);
    await repository.setEmbedding(id, demo);
    await ingest.resume();
    await vi.waitFor(async () => expect((await repository.documents(id))[0]?.status).toBe("ready"), 60_000);
    const documentId = (await repository.documents(id))[0]?.id ?? "";
    expect((await repository.storedChunks(documentId)).every((chunk) => chunk.embedded)).toBe(true);

    const chunk = { position: 9, heading: "", content: "x", hash: "x", tokens: 1, metadata: {} };
    await expect(
      repository.addChunks(documentId, [{ ...chunk, embedding: [1, 2, 3] }], "demo/words-256"),
    ).rejects.toMatchObject({
      kind: "invalid",
      message: "The collection's vectors have 256 numbers, but the model gave 3.",
    });
    await expect(
      repository.addChunks(documentId, [{ ...chunk, embedding: [1, 2, 3] }], "openai/other"),
    ).rejects.toMatchObject({ kind: "conflict" });
    await repository.setEmbedding(id, { ...demo, credential: "another" });
    expect((await repository.storedChunks(documentId)).every((one) => one.embedded)).toBe(true);
    await repository.setEmbedding(id, null);
    expect((await repository.storedChunks(documentId)).some((one) => one.embedded)).toBe(false);
    expect(await repository.collection(id)).toMatchObject({ embedding: null, dimension: null });
  });

  it("stops and forgets its jobs when the person signs out", async () => {
    const { id } = await collection();
    const ingest = openPage({ addChunks: () => new Promise(() => {}) });
    ingest.add(id, [file("a.txt", "Alice's text.")]);
    await vi.waitFor(() => expect(ingest.store.getState().jobs[0]?.documentId).not.toBeNull(), 60_000);
    ingest.add(id, [file("b.txt", "Waits."), file("c.txt", "Waits as well.")]);
    await vi.waitFor(async () => expect(await pending.list(alice.userId)).not.toEqual([]), 60_000);
    signOut();
    expect(ingest.store.getState().jobs).toEqual([]);
    await vi.waitFor(async () => expect(await pending.list(alice.userId)).toEqual([]), 60_000);
  });

  it("exports a collection whole, without vectors and credential", async () => {
    const { id } = await collection({ embedding: { ...demo, credential: "credential-id" } });
    const ingest = openPage();
    ingest.add(id, [file("handbook.md", handbook)]);
    await ended(ingest);
    const exported = await repository.exportCollection(id);
    expect(exported).toMatchObject({
      format: "switchyard-knowledge",
      name: "Handbook",
      embedding: { provider: "demo", model: "words-256" },
      documents: [{ name: "handbook.md", chunks: [{ heading: "Holidays" }, {}, {}] }],
    });
    expect(JSON.stringify(exported)).not.toContain("credential-id");
  });
});
