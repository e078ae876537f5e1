import type { IngestSource } from "../../../services/knowledge.ts";

/** How far a job is. `cancelled` and `failed` jobs can be resumed; what they stored stays. */
const ingestStatuses = ["queued", "reading", "chunking", "embedding", "saving", "done", "failed", "cancelled"] as const;
export type IngestStatus = (typeof ingestStatuses)[number];

/** What became of a document once its job is done. */
export type IngestOutcome =
  | { type: "added" }
  /** It was there with other content; chunks that did not change were kept. */
  | { type: "updated"; kept: number; added: number; removed: number }
  /** The same name and content was there already. */
  | { type: "unchanged" }
  /** The same name and content was there already, with other metadata. */
  | { type: "described" }
  /** The same content is there under another name; nothing was stored. */
  | { type: "duplicate"; of: string };

/** One document on its way into a collection. */
export interface IngestJob {
  id: string;
  collectionId: string;
  /** File name, URL or title. */
  name: string;
  origin: IngestSource["type"] | "stored";
  status: IngestStatus;
  /** Chunks stored, of all; 0 of 0 before they are counted. */
  progress: { done: number; total: number };
  /** Estimated US dollars of its embeddings so far; null before there are any and where the price is not known. */
  costUsd: number | null;
  /** Known once it is read and stored. */
  documentId: string | null;
  /** Of a failed job. */
  error: { message: string; hint: string } | null;
  /** Of a done job. */
  outcome: IngestOutcome | null;
  /** Seconds until a failed embedding request is tried again, and why; null otherwise. */
  waiting: { seconds: number; reason: string } | null;
}

/** Nothing more happens to it by itself. */
export function hasEnded(job: IngestJob): boolean {
  return job.status === "done" || job.status === "failed" || job.status === "cancelled";
}

/** A job that waits for its turn. */
export function newJob(given: Pick<IngestJob, "id" | "collectionId" | "name" | "origin" | "documentId">): IngestJob {
  const progress = { done: 0, total: 0 };
  return { ...given, status: "queued", progress, costUsd: null, error: null, outcome: null, waiting: null };
}
