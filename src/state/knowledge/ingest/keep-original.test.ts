import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  knowledgePage,
  type OwnKnowledge,
  startOwnKnowledge,
} from "../../../../supabase/local/testing/own-knowledge.ts";
import { makePdf } from "../../../documents/testing/make-pdf.ts";
import { type FileService, ServiceError } from "../../../services/services.ts";
import { hasEnded } from "./ingest-job.ts";
import { createIngest } from "./ingest.ts";

let owner: OwnKnowledge;

beforeAll(async () => {
  owner = await startOwnKnowledge({ functions: true });
});

afterAll(() => owner.stop());

const pdf = (text: string) => makePdf([[{ text, size: 12 }]]);

/** Adds a file and waits until that has ended; gives the document's id. */
async function add(collection: string, name: string, bytes: Uint8Array<ArrayBuffer>, files: Pick<FileService, "add">) {
  const ingest = createIngest(knowledgePage(owner, { files }));
  ingest.add(collection, [{ type: "file", name, blob: new Blob([bytes]) }]);
  const job = () => ingest.store.getState().jobs[0];
  await vi.waitFor(() => expect(job() && hasEnded(job()!)).toBe(true), 60_000);
  expect(job()).toMatchObject({ status: "done" });
  return job()?.documentId ?? "";
}

const bytesOf = async (file: string | null) =>
  new Uint8Array(await (await owner.files.open(file ?? "", new AbortController().signal)).arrayBuffer());

it("keeps the PDF that a document was read from, and the next one in its place", async () => {
  const { id } = await owner.repository.create({ name: "Handbook" });
  const first = pdf("Lamps of oak.");
  const document = await add(id, "lamps.pdf", first, owner.files);
  const original = await owner.repository.original(document);
  expect(await bytesOf(original)).toEqual(first);
  await add(id, "lamps.pdf", first, owner.files);
  expect(await owner.repository.original(document)).toBe(original);
  const second = pdf("Lamps of birch.");
  await add(id, "lamps.pdf", second, owner.files);
  expect(await bytesOf(await owner.repository.original(document))).toEqual(second);
});

it("adds a document whose file cannot be kept, and keeps it when the file is added again", async () => {
  const { id } = await owner.repository.create({ name: "Handbook" });
  const bytes = pdf("Frames of oak.");
  const full = { add: () => Promise.reject(new ServiceError("invalid", "The storage is full.", "Delete something.")) };
  const document = await add(id, "frames.pdf", bytes, full);
  expect(await owner.repository.original(document)).toBeNull();
  await add(id, "frames.pdf", bytes, owner.files);
  expect(await bytesOf(await owner.repository.original(document))).toEqual(bytes);
});

it("keeps no file of what has no pages", async () => {
  const { id } = await owner.repository.create({ name: "Handbook" });
  const text = new TextEncoder().encode("Plain words.");
  expect(await owner.repository.original(await add(id, "note.txt", text, owner.files))).toBeNull();
});

it("refuses a file of nobody as that of a document", async () => {
  const { id } = await owner.repository.create({ name: "Handbook" });
  const document = await add(id, "shelf.pdf", pdf("Shelves."), owner.files);
  const original = await owner.repository.original(document);
  await expect(owner.repository.setOriginal(document, crypto.randomUUID())).rejects.toBeInstanceOf(ServiceError);
  expect(await owner.repository.original(document)).toBe(original);
});
