import { compareChunks } from "../../../engine/knowledge/compare-chunks.ts";
import { type ChunkDraft, cutDocument, embeddedText } from "../../../engine/knowledge/cut-document.ts";
import type { DocumentSection } from "../../../engine/knowledge/source-document.ts";
import type { Host } from "../../../engine/host.ts";
import { batchesOf } from "../../../providers/embeddings/embed-batch.ts";
import type { CollectionSummary, KnowledgeRepository, NewChunk } from "../../../services/knowledge.ts";
import { chunkHash } from "./chunk-hash.ts";
import { type EmbeddedPart, embedParts } from "./embed-parts.ts";
import type { IngestJob } from "./ingest-job.ts";
import { letPageBreathe } from "./let-page-breathe.ts";

/** What a job tells while it works. */
type Report = (change: Partial<Pick<IngestJob, "status" | "progress" | "waiting">>) => void;

interface IngestTools {
  repository: KnowledgeRepository;
  host: Host;
  signal: AbortSignal;
  report: Report;
  /** Takes note of what an embedding request cost (null: its price is not known), before its vectors are stored. */
  spend(costUsd: number | null): Promise<void>;
}

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
  document: { id: string; name: string; sections: readonly DocumentSection[] },
  collection: CollectionSummary,
  tools: IngestTools,
): Promise<StoredDocument> {
  const { repository, signal, report } = tools;
  report({ status: "chunking" });
  const wanted = await hashedChunks(document, collection, signal);
  const changes = compareChunks(await repository.storedChunks(document.id), wanted);
  signal.throwIfAborted();
  await repository.arrangeChunks(document.id, { remove: changes.remove, move: changes.move });

  const missing: NewChunk[] = [
    ...changes.add.map((chunk) => ({ ...chunk, embedding: null })),
    ...(collection.embedding ? changes.unembedded.map(({ id, chunk }) => ({ ...chunk, id, embedding: null })) : []),
  ];
  const stored = await storeMissing(document.id, missing, wanted.length, collection, tools);
  return { kept: changes.kept, added: changes.add.length, removed: changes.remove.length, ...stored };
}

async function hashedChunks(
  { name, sections }: { name: string; sections: readonly DocumentSection[] },
  { chunking }: CollectionSummary,
  signal: AbortSignal,
): Promise<HashedChunk[]> {
  const breathe = letPageBreathe();
  const chunks: HashedChunk[] = [];
  for (const chunk of cutDocument(sections, chunking)) {
    const metadata = { ...chunk.metadata, document: name };
    chunks.push({ ...chunk, metadata, hash: chunkHash(chunk) });
    await breathe();
    signal.throwIfAborted();
  }
  return chunks;
}

async function storeMissing(
  documentId: string,
  missing: readonly NewChunk[],
  total: number,
  { embedding }: CollectionSummary,
  { repository, host, signal, report, spend }: IngestTools,
): Promise<Pick<StoredDocument, "tooLong">> {
  const model = embedding && `${embedding.provider}/${embedding.model}`;
  const tooLong: TooLongChunk[] = [];
  let done = total - missing.length;

  async function store(chunks: readonly NewChunk[]): Promise<void> {
    report({ status: "saving" });
    // One that is stored already and got no vector stays as it is.
    const changed = chunks.filter((chunk) => chunk.id === undefined || chunk.embedding !== null);
    await repository.addChunks(documentId, changed, model);
    done += chunks.length;
    report({ progress: { done, total } });
  }

  async function storePart(part: EmbeddedPart<NewChunk>): Promise<void> {
    switch (part.type) {
      case "embedded":
        report({ waiting: null });
        await spend(part.costUsd);
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
    report({ waiting: { seconds: Math.ceil(delayMs / 1_000), reason: message } });
  report({ progress: { done, total } });
  for (const batch of batchesOf(missing, embeddedText)) {
    signal.throwIfAborted();
    if (!embedding) {
      await store(batch);
      continue;
    }
    report({ status: "embedding" });
    for await (const part of embedParts(batch, embeddedText, embedding, { host, signal, onRetry })) {
      await storePart(part);
      report({ status: "embedding" });
    }
  }
  return { tooLong };
}
