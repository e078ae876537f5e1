import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  knowledgePage,
  startOwnKnowledge,
  type OwnKnowledge,
} from "../../../../supabase/local/testing/own-knowledge.ts";
import type { IngestSource, KnowledgeRepository } from "../../../services/knowledge.ts";
import { createIngest, type Ingest } from "./ingest.ts";
import { hasEnded, type IngestJob } from "./ingest-job.ts";

let alice: OwnKnowledge;
let repository: KnowledgeRepository;

beforeAll(async () => {
  alice = await startOwnKnowledge();
  repository = alice.repository;
});

afterAll(() => alice.stop());

const openPage = (over: Partial<KnowledgeRepository>): Ingest => createIngest(knowledgePage(alice, { over }));
const newCollection = async () => (await repository.create({ name: "Handbook" })).id;
const file = (name: string, text: string): IngestSource => ({ type: "file", name, blob: new Blob([text]) });
const handbook = "# Holidays\n\nThirty days a year.\n\n# Office\n\nOpens at eight.\n";

/** Something that is waited for until the test opens it. `reached` resolves once it is waited for. */
function gate() {
  let [tell, open] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => (tell = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  const wait = async () => {
    tell();
    await opened;
  };
  return { reached, open, wait };
}

async function allEnded({ store }: Ingest): Promise<readonly IngestJob[]> {
  await vi.waitFor(() => expect(store.getState().jobs.every(hasEnded)).toBe(true), 60_000);
  return store.getState().jobs;
}

async function contents(collection: string): Promise<string[][]> {
  const documents = await repository.documents(collection);
  const chunks = await Promise.all(documents.map(({ id }) => repository.chunks(id, { from: 0, limit: 100 })));
  return chunks.map((some) => some.map(({ content }) => content));
}

describe("one document at a time", () => {
  it("gets one job where what was interrupted is resumed while it is being stored", async () => {
    const id = await newCollection();
    const answer = gate();
    const ingest = openPage({
      async putDocument(...given) {
        const stored = await repository.putDocument(...given);
        await answer.wait();
        return stored;
      },
    });
    ingest.add(id, [file("handbook.md", handbook)]);
    await answer.reached;
    await Promise.all([ingest.resume(), ingest.resume()]);
    expect(ingest.store.getState().jobs).toHaveLength(1);
    answer.open();
    expect(await allEnded(ingest)).toMatchObject([{ status: "done", outcome: { type: "added" } }]);
    expect(await contents(id)).toEqual([["Thirty days a year.", "Opens at eight."]]);
  });

  it("stays done where a list says that it is not, which was read before", async () => {
    const id = await newCollection();
    const [listed, stored] = [gate(), gate()];
    const ingest = openPage({
      async pendingDocuments(...given) {
        const pending = await repository.pendingDocuments(...given);
        await listed.wait();
        return pending;
      },
      async addChunks(...given) {
        await stored.wait();
        await repository.addChunks(...given);
      },
    });
    ingest.add(id, [file("handbook.md", handbook)]);
    await stored.reached;
    const resuming = ingest.resume();
    await listed.reached;
    stored.open();
    await allEnded(ingest);
    listed.open();
    await resuming;
    expect(await allEnded(ingest)).toMatchObject([{ status: "done", outcome: { type: "added" } }]);
  });

  it("has the chunks of the file that was added last, and none of an earlier one of its name", async () => {
    const id = await newCollection();
    const stored = gate();
    let additions = 0;
    const ingest = openPage({
      async addChunks(...given) {
        additions += 1;
        if (additions === 1) await stored.wait();
        await repository.addChunks(...given);
      },
    });
    ingest.add(id, [file("prices.txt", "The lamp costs 240.")]);
    await stored.reached;
    // Then it waits for the first, or else goes on to its end.
    const secondIsRead = new Promise<void>((resolve) =>
      ingest.store.subscribe(({ jobs: [, second] }, { jobs: [, before] }) => {
        if (before?.status === "reading" && second?.status === "queued") resolve();
        if (second?.status === "done") resolve();
      }),
    );
    ingest.add(id, [file("prices.txt", "The lamp costs 180.")]);
    await secondIsRead;
    stored.open();
    const jobs = await allEnded(ingest);
    expect(jobs.map(({ status }) => status)).toEqual(["done", "done"]);
    expect(await contents(id)).toEqual([["The lamp costs 180."]]);
  });

  it("is stored once where one file is added twice at once", async () => {
    const id = await newCollection();
    const ingest = openPage({});
    ingest.add(id, [file("handbook.md", handbook), file("handbook.md", handbook)]);
    const outcomes = (await allEnded(ingest)).map(({ outcome }) => outcome?.type);
    expect(outcomes.toSorted()).toEqual(["added", "unchanged"]);
    expect(await contents(id)).toEqual([["Thirty days a year.", "Opens at eight."]]);
  });

  it("is cut by the chunking that was chosen while it was on its way", async () => {
    const id = await newCollection();
    const stored = gate();
    const ingest = openPage({
      async addChunks(...given) {
        await stored.wait();
        await repository.addChunks(...given);
      },
    });
    ingest.add(id, [file("lines.txt", Array.from({ length: 40 }, (_, n) => `Line ${n} says something.`).join("\n"))]);
    await stored.reached;
    await repository.update(id, { chunking: { size: 60, overlap: 10 } });
    await ingest.rechunk(id);
    stored.open();
    expect(await allEnded(ingest)).toMatchObject([{ status: "done" }]);
    expect(await repository.documents(id)).toMatchObject([{ status: "ready" }]);
    expect((await contents(id))[0]?.length).toBeGreaterThan(4);
  });
});
