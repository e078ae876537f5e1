import { compareChunks } from "../../engine/knowledge/compare-chunks.ts";
import { type ChunkDraft, cutDocument, embeddedText } from "../../engine/knowledge/cut-document.ts";
import type { DocumentSection } from "../../engine/knowledge/source-document.ts";
import type { Host } from "../../engine/host.ts";
import { addCost } from "../../engine/model/usage.ts";
import { batchesOf, embedBatch } from "../../providers/embeddings/embed-batch.ts";
import { embeddingCost } from "../../providers/embeddings/embedding-cost.ts";
import type { CollectionSummary, KnowledgeRepository, NewChunk } from "../knowledge-services.ts";
import { chunkHash } from "./chunk-hash.ts";
import type { IngestJob } from "./ingest-job.ts";
import { letPageBreathe } from "./let-page-breathe.ts";

/** What a job tells while it works. */
export type Report = (change: Partial<Pick<IngestJob, "status" | "progress" | "costUsd" | "waiting">>) => void;

export interface IngestTools {
  repository: KnowledgeRepository;
  host: Host;
  signal: AbortSignal;
  report: Report;
}

type HashedChunk = ChunkDraft & { hash: string };

/** What changed, and what its embeddings cost (null: a price is not known). */
export interface StoredDocument {
  kept: number;
  added: number;
  removed: number;
  costUsd: number | null;
}

/**
 * Cuts a stored document and brings its chunks up to date: those that did not change stay with their vectors, the rest is
 * embedded and stored batch by batch, so that an interruption loses one batch. Rejects with what went wrong, or with the
 * signal's reason; `costSoFar` of the report is what was spent until then.
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
  const costUsd = await storeMissing(document.id, missing, wanted.length, collection, tools);
  return { kept: changes.kept, added: changes.add.length, removed: changes.remove.length, costUsd };
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
  { repository, host, signal, report }: IngestTools,
): Promise<number | null> {
  const model = embedding && `${embedding.provider}/${embedding.model}`;
  let done = total - missing.length;
  let costUsd: number | null = 0;
  report({ progress: { done, total } });
  for (const batch of batchesOf(missing, embeddedText)) {
    signal.throwIfAborted();
    let vectors: number[][] = [];
    if (embedding) {
      report({ status: "embedding" });
      vectors = await embedBatch(batch.map(embeddedText), embedding, {
        host,
        signal,
        onRetry: (delayMs, { message }) =>
          report({ waiting: { seconds: Math.ceil(delayMs / 1_000), reason: message } }),
      });
      const tokens = batch.reduce((sum, chunk) => sum + chunk.tokens, 0);
      costUsd = addCost(costUsd, embeddingCost(embedding, tokens));
      report({ costUsd, waiting: null });
    }
    report({ status: "saving" });
    await repository.addChunks(
      documentId,
      batch.map((chunk, index) => ({ ...chunk, embedding: vectors[index] ?? null })),
      model,
    );
    done += batch.length;
    report({ progress: { done, total } });
  }
  return costUsd;
}
