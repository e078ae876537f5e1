import { z } from "zod/mini";
import { RunError } from "../src/engine/errors.ts";
import { readBytes } from "../src/engine/file/read-bytes.ts";
import type { Host } from "../src/engine/host.ts";
import { missingCollection } from "../src/engine/knowledge/knowledge-errors.ts";
import { readMetadata } from "../src/engine/knowledge/document-metadata.ts";
import { hasPages, type SourceDocument } from "../src/engine/knowledge/source-document.ts";
import { storableDocument } from "../src/engine/knowledge/storable-document.ts";
import { priceOf } from "../src/engine/model/prices.ts";
import { createSpendingLimit, type SpendingLimit } from "../src/engine/spending/spending-limit.ts";
import { untrustedField } from "../src/engine/trust/taint.ts";
import { storeDocument } from "../src/nodes/knowledge/store-document.ts";
import { hostOf } from "./host-of-owner.ts";
import type { SendOptions } from "./send-notices.ts";
import { NoAnswer } from "./sql-door.ts";

/** Bytes of a file that is read whole. */
const largestFile = 50 * 1024 * 1024;

const claimedUpload = z.object({
  document: z.string(),
  collection: z.string(),
  name: z.string(),
  source: z.string(),
  upload: z.string(),
  mediaType: z.string(),
  ingest: z.string(),
  sha256: z.string(),
  untrusted: z.array(z.string()),
  metadata: z.nullable(z.record(z.string(), z.json())),
  /** What the spending caps of the API key that sent it leave, in US dollars; null where it has none. */
  leftUsd: z.nullable(z.number()),
});

type ClaimedUpload = z.infer<typeof claimedUpload>;

/**
 * Makes the file of an owner that has waited longest a document of its collection, with the owner's rights. What cannot be one says why
 * there. Where the studio does not answer, that is thrown, and the file comes due again. Gives whether there was one.
 */
export async function storeUploadOf(owner: string, options: SendOptions): Promise<boolean> {
  const [row] = await options.door.ask("claimUpload", [options.worker, owner]);
  const upload = z.nullable(claimedUpload).parse(row?.["answer"] ?? null);
  if (upload === null) return false;
  const host = hostOf(owner, options);
  try {
    await storeOrSayWhy(upload, host);
  } catch (error) {
    await giveBack(upload.document, owner, options);
    throw error instanceof RunError ? new NoAnswer(error.data.message) : error;
  }
  return true;
}

/** Throws where something does not answer. */
async function storeOrSayWhy(upload: ClaimedUpload, host: Host): Promise<void> {
  const { signal } = new AbortController();
  try {
    await store(upload, host, signal);
  } catch (error) {
    if (!(error instanceof RunError) || error.data.retryable) throw error;
    const { message, hint } = error.data;
    const end = { status: "failed" as const, error: { message, hint }, costUsd: 0 };
    // Nothing where storing it has said so already, or where another file has come under its name.
    await host.knowledge.finishDocument(upload.document, end, upload.ingest);
  }
}

/** The database may be what does not answer, so this is tried for a while; else the document comes due by itself, later. */
async function giveBack(document: string, owner: string, { door, worker }: SendOptions): Promise<void> {
  for (const pauseMs of [0, 2_000, 8_000, 20_000]) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const isLeft = await door.ask("leaveUpload", [worker, owner, document]).then(
      () => true,
      () => false,
    );
    if (isLeft) return;
  }
}

async function store(upload: ClaimedUpload, host: Host, signal: AbortSignal): Promise<void> {
  const collection = await host.knowledge.collection(upload.collection, { signal });
  if (collection === null) throw missingCollection();
  const { embedding } = collection;
  if (upload.leftUsd !== null && embedding && priceOf(embedding.provider, embedding.model) === null) {
    throw refuse(
      `The price of ${embedding.model} is not known, so the spending cap of the API key could not hold.`,
      "Send documents of this collection with a key that has no spending cap.",
    );
  }
  await storeDocument(await read(upload, host, signal), collection, {
    writer: {
      ...host.knowledge,
      putDocument: (id, document, given) =>
        host.knowledge.putDocument(id, document, { ...given, upload: upload.upload }),
    },
    host: upload.leftUsd === null ? host : { ...host, spending: capOfKey(upload.leftUsd) },
    signal,
    spend: () => Promise.resolve(),
  });
}

/** What a document may still cost that came by an API key with a spending cap. */
function capOfKey(leftUsd: number): SpendingLimit {
  const error = {
    code: "budget" as const,
    message: "The spending cap of the API key that sent the document is reached.",
    hint: "Send it again once the key may spend again, or raise its cap; what is already stored is kept.",
    retryable: false,
  };
  return createSpendingLimit({ maxUsd: leftUsd, refusal: () => error });
}

function refuse(message: string, hint: string): RunError {
  return new RunError({ code: "tool_error", message, hint });
}

async function read(upload: ClaimedUpload, host: Host, signal: AbortSignal): Promise<SourceDocument> {
  const opened = await host.files?.open(upload.upload, { signal });
  if (!opened) throw new Error("This host keeps no files.");
  if (!opened.ok) throw new RunError(opened.error);
  const bytes = await readBytes(opened.value, largestFile);
  if (!bytes) throw refuse(`"${upload.name}" is larger than ${largestFile / 1024 / 1024} MB.`, "Split it.");
  const file = { name: upload.name, mediaType: upload.mediaType, bytes };
  const answer = await host.documents?.({ do: "read", file }, signal);
  if (!answer) throw new Error("This host reads no documents.");
  if (!answer.ok) throw refuse(answer.message, answer.hint);
  const given = readMetadata(upload.metadata);
  if (!given.ok) throw refuse(given.message, given.hint);
  const kind = answer.document?.kind ?? "text";
  const storable = storableDocument({
    name: upload.name,
    kind,
    source: upload.source,
    sections: answer.document?.sections ?? [],
    size: bytes.byteLength,
    sha256: upload.sha256,
    ...(hasPages(kind) ? { original: upload.upload } : {}),
    metadata: { ...answer.document?.metadata, ...given.metadata },
    ...untrustedField(upload.untrusted),
  });
  if (!storable.ok) throw refuse(storable.message, storable.hint);
  return storable.document;
}
