import { compareChunks } from "../../engine/knowledge/compare-chunks.ts";
import { type ChunkDraft, cutDocument, embeddedText } from "../../engine/knowledge/cut-document.ts";
import type { KnowledgeCollection } from "../../engine/knowledge/knowledge.ts";
import type { DocumentContent } from "../../engine/knowledge/source-document.ts";
import type { DocumentWriter, NewChunk } from "../../engine/knowledge/stored-documents.ts";
import { letPageBreathe } from "../../engine/let-page-breathe.ts";
import type { EmbeddingUse } from "../../engine/model/embedding-use.ts";
import { batchesOf, type EmbedOptions } from "../../providers/embeddings/embed-batch.ts";
import { chunkHash } from "./chunk-hash.ts";
import { type EmbeddedPart, embedParts } from "./embed-parts.ts";

/** How far an ingest is. */
export interface IngestProgress {
  status: "chunking" | "embedding" | "saving";
  /** Chunks stored, of all; 0 of 0 before they are counted. */
  progress: { done: number; total: number };
  /** Seconds until a failed embedding request is tried again, and why; null otherwise. */
  waiting: { seconds: number; reason: string } | null;
}

export interface IngestTools extends Pick<EmbedOptions, "host" | "signal" | "nodeId" | "price"> {
  writer: Pick<DocumentWriter, "storedChunks" | "arrangeChunks" | "addChunks">;
  report?(change: Partial<IngestProgress>): void;
  /** Takes note of what an embedding request took, before its vectors are stored. */
  spend(use: EmbeddingUse): Promise<void>;
}

/** A stored document, and the ingest that brings its chunks up to date. */
export interface IngestedDocument extends DocumentContent {
  id: string;
  name: string;
  ingest?: string;
}

/** What an ingest needs to know of the collection. */
export type IngestCollection = Pick<KnowledgeCollection, "chunking" | "embedding">;

type HashedChunk = ChunkDraft & { hash: string };

/** What changed. */
interface StoredDocument {
  kept: number;
  added: number;
  removed: number;
  /** Chunks that are stored without a vector, because the model does not take that much text. */
  tooLong: readonly TooLongChunk[];
}

export interface TooLongChunk extends Pick<ChunkDraft, "position" | "heading"> {
  /** The vendor's. */
  reason: string;
}

/**
 * Cuts a stored document and brings its chunks up to date: those that did not change stay with their vectors, the rest is
 * embedded and stored batch by batch, so that an interruption loses one batch. Rejects with what went wrong, or with the
 * signal's reason.
 */
export async function ingestDocument(
  document: IngestedDocument,
  collection: IngestCollection,
  tools: IngestTools,
): Promise<StoredDocument> {
  const { writer, signal, report } = tools;
  report?.({ status: "chunking" });
  const wanted = await hashedChunks(document, collection, tools);
  const changes = compareChunks(await writer.storedChunks(document.id), wanted);
  signal.throwIfAborted();
  await writer.arrangeChunks(document.id, { remove: changes.remove, move: changes.move }, document.ingest);

  const missing: NewChunk[] = [
    ...changes.add.map((chunk) => ({ ...chunk, embedding: null })),
    ...(collection.embedding ? changes.unembedded.map(({ id, chunk }) => ({ ...chunk, id, embedding: null })) : []),
  ];
  const stored = await storeMissing(document, missing, wanted.length, collection, tools);
  return { kept: changes.kept, added: changes.add.length, removed: changes.remove.length, ...stored };
}

async function hashedChunks(
  { name, sections, untrusted }: IngestedDocument,
  { chunking }: IngestCollection,
  { host, signal }: Pick<IngestTools, "host" | "signal">,
): Promise<HashedChunk[]> {
  const breathe = letPageBreathe(() => host.now());
  const chunks: HashedChunk[] = [];
  for (const chunk of cutDocument(sections, chunking)) {
    const metadata = { ...chunk.metadata, document: name, ...(untrusted ? { untrusted: [...untrusted] } : {}) };
    chunks.push({ ...chunk, metadata, hash: chunkHash(chunk) });
    await breathe();
    signal.throwIfAborted();
  }
  return chunks;
}

async function storeMissing(
  { id, ingest }: IngestedDocument,
  missing: readonly NewChunk[],
  total: number,
  { embedding }: IngestCollection,
  { writer, report, spend, ...request }: IngestTools,
): Promise<Pick<StoredDocument, "tooLong">> {
  const model = embedding && `${embedding.provider}/${embedding.model}`;
  const tooLong: TooLongChunk[] = [];
  let done = total - missing.length;

  async function store(chunks: readonly NewChunk[]): Promise<void> {
    report?.({ status: "saving" });
    // One that is stored already and got no vector stays as it is.
    const changed = chunks.filter((chunk) => chunk.id === undefined || chunk.embedding !== null);
    await writer.addChunks(id, changed, model, ingest);
    done += chunks.length;
    report?.({ progress: { done, total } });
  }

  async function storePart(part: EmbeddedPart<NewChunk>): Promise<void> {
    switch (part.type) {
      case "embedded":
        report?.({ waiting: null });
        await spend(part.use);
        return await store(part.items.map((chunk, index) => ({ ...chunk, embedding: part.vectors[index] ?? null })));
      case "too-long": {
        const { position, heading } = part.item;
        tooLong.push({ position, heading, reason: part.reason });
        return await store([part.item]);
      }
      default:
        return part satisfies never;
    }
  }

  const onRetry = (delayMs: number, { message }: { message: string }) =>
    report?.({ waiting: { seconds: Math.ceil(delayMs / 1_000), reason: message } });
  report?.({ progress: { done, total } });
  for (const batch of batchesOf(missing, embeddedText)) {
    request.signal.throwIfAborted();
    if (!embedding) {
      await store(batch);
      continue;
    }
    report?.({ status: "embedding" });
    for await (const part of embedParts(batch, embeddedText, embedding, { ...request, onRetry })) {
      await storePart(part);
      report?.({ status: "embedding" });
    }
  }
  return { tooLong };
}
