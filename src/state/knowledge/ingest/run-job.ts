import type { Host } from "../../../engine/host.ts";
import type { EmbeddingUse } from "../../../engine/model/embedding-use.ts";
import { addCost } from "../../../engine/model/usage.ts";
import { documentHash } from "../../../nodes/knowledge/chunk-hash.ts";
import { hasPages, type SourceDocument } from "../../../engine/knowledge/source-document.ts";
import { findTwin, type Twin } from "../../../nodes/knowledge/find-twin.ts";
import { ingestDocument, type IngestedDocument } from "../../../nodes/knowledge/ingest-document.ts";
import { noteMetadata } from "../../../nodes/knowledge/note-metadata.ts";
import { tooLongFailure } from "../../../nodes/knowledge/too-long-failure.ts";
import { RunError } from "../../../engine/errors.ts";
import type { IngestSource, KnowledgeRepository, KnowledgeSources } from "../../../services/knowledge.ts";
import { newId } from "../../shared/new-id.ts";
import { type FileService, ServiceError } from "../../../services/services.ts";
import type { IngestJob, IngestOutcome } from "./ingest-job.ts";

/** What a job works on: something to read, or a document that is stored already. */
export type JobTask = { type: "source"; source: IngestSource } | { type: "stored"; documentId: string; name: string };

interface JobTools {
  repository: KnowledgeRepository;
  sources: KnowledgeSources;
  files: Pick<FileService, "add">;
  openHost(): Host;
  signal: AbortSignal;
  /** Keeps other jobs off it until this one has ended; waits for one that has it. Rejects with the signal's reason. */
  claim(id: string): Promise<void>;
  /** Applies a change to the job that people see. */
  change(change: Partial<IngestJob>): void;
  /** The source is stored as a document and needs not be kept in the browser any more. */
  onStored(documentId: string): Promise<void>;
}

interface Prepared extends IngestedDocument {
  isNew: boolean;
}

const stopped = { message: "It was stopped before it was complete.", hint: "Resume it to store the rest." };

/** Brings one document into its collection. Never rejects: the job says how it ended. */
export async function runJob(collectionId: string, task: JobTask, tools: JobTools): Promise<void> {
  const { repository, signal } = tools;
  // Once it is stopped, what is still on its way changes nothing that people see.
  const change = (update: Partial<IngestJob>) => {
    if (!signal.aborted) tools.change(update);
  };
  let document: { id: string; ingest?: string } | null = null;
  let costUsd: number | null = 0;
  /** What of it the document does not have yet. */
  let owed: number | null = 0;
  try {
    const prepared = await prepare(collectionId, task, { ...tools, change });
    if ("outcome" in prepared) {
      return change({ status: "done", outcome: prepared.outcome, documentId: prepared.documentId });
    }
    const { id, ingest } = prepared;
    document = prepared;
    const collection = await repository.collection(collectionId);
    const spend = async (use: EmbeddingUse) => {
      costUsd = addCost(costUsd, use.costUsd);
      owed = addCost(owed, use.costUsd);
      change({ costUsd });
      if (owed !== 0) await repository.recordCost(id, owed, ingest);
      owed = 0;
    };
    const host = tools.openHost();
    const stored = await ingestDocument(prepared, collection, {
      writer: repository,
      host,
      signal,
      report: change,
      spend,
    });
    const { kept, added, removed, tooLong } = stored;
    if (tooLong.length > 0) {
      const error = tooLongFailure(tooLong, kept + added, collection.embedding?.model ?? "");
      await repository.finishDocument(id, { status: "failed", error, costUsd: owed }, ingest);
      return change({ status: "failed", error, waiting: null });
    }
    await repository.finishDocument(id, { status: "ready", costUsd: owed }, ingest);
    const outcome: IngestOutcome = prepared.isNew ? { type: "added" } : { type: "updated", kept, added, removed };
    change({ status: "done", outcome, waiting: null });
  } catch (error) {
    const failure = signal.aborted ? stopped : shownFailure(error);
    change({ status: "failed", error: failure, waiting: null });
    if (document === null) return;
    const end = { status: "failed" as const, error: failure, costUsd: owed };
    // Without a connection it stays pending, and is picked up when the page is opened again.
    await repository.finishDocument(document.id, end, document.ingest).catch(() => {});
  }
}

async function prepare(
  collectionId: string,
  task: JobTask,
  tools: JobTools,
): Promise<Prepared | { outcome: IngestOutcome; documentId: string }> {
  const { repository, sources, signal, change, onStored } = tools;
  change({ status: "reading" });
  if (task.type === "stored") {
    change({ documentId: task.documentId });
    const opened = await repository.beginIngest(task.documentId);
    if (opened.sections.length === 0) {
      throw new ServiceError("invalid", "Nothing was read from this document.", "Delete it, and add its file again.");
    }
    return { id: task.documentId, name: task.name, ...opened, isNew: false };
  }
  const document = await sources.reader.read(task.source, signal);
  const { name } = document;
  const hash = documentHash(document);
  change({ name, status: "queued" });
  const twin = await findTwinInTurn(collectionId, { name, hash }, tools);
  change({ status: "reading" });
  signal.throwIfAborted();
  if (twin.type === "same" || twin.type === "duplicate") {
    if (twin.type === "same" && (await repository.original(twin.id)) === null) {
      const original = await keepOriginal(task.source, document, tools);
      if (original !== undefined) await repository.setOriginal(twin.id, original);
    }
    const isDescribed = twin.type === "same" && (await noteMetadata(twin.known, document, repository));
    await onStored(twin.id);
    const outcome: IngestOutcome =
      twin.type === "duplicate"
        ? { type: "duplicate", of: twin.of }
        : { type: isDescribed ? "described" : "unchanged" };
    return { outcome, documentId: twin.id };
  }
  const original = await keepOriginal(task.source, document, tools);
  const isNew = twin.type === "new";
  const free = newId();
  // No other job finds it before it is this one's.
  if (isNew) await tools.claim(free);
  const { id, ingest } = await repository.putDocument(
    collectionId,
    { ...document, ...(original === undefined ? {} : { original }) },
    { hash, ...(isNew ? { id: free } : {}) },
  );
  change({ documentId: id });
  await onStored(id);
  return { ...document, id, ingest, isNew };
}

/** Stores the file whose pages citations show. Undefined where there are none, and where it cannot be stored: its text is enough to be found. */
async function keepOriginal(
  source: IngestSource,
  { kind, name }: Pick<SourceDocument, "kind" | "name">,
  { files, signal }: Pick<JobTools, "files" | "signal">,
): Promise<string | undefined> {
  if (source.type !== "file" || !hasPages(kind)) return undefined;
  try {
    const bytes = new Uint8Array(await source.blob.arrayBuffer());
    return (await files.add({ name, mediaType: "application/pdf", bytes }, signal)).$file;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** As `findTwin`, once no other job adds a document of this name or content, or works on the one that is there. */
async function findTwinInTurn(
  collectionId: string,
  document: { name: string; hash: string },
  { repository, claim }: JobTools,
): Promise<Twin> {
  const { name, hash } = document;
  await claim(`${collectionId} name ${name}`);
  await claim(`${collectionId} hash ${hash}`);
  let claimed: string | undefined;
  for (;;) {
    const twin = findTwin(name, hash, await repository.findDocuments(collectionId, document));
    if (twin.type !== "earlier" || twin.id === claimed) return twin;
    claimed = twin.id;
    await claim(claimed);
  }
}

/** A failure in words that can be shown, whatever was thrown. */
function shownFailure(error: unknown): { message: string; hint: string } {
  if (error instanceof ServiceError) return { message: error.message, hint: error.hint };
  if (error instanceof RunError) return { message: error.data.message, hint: error.data.hint };
  const reason = error instanceof Error ? error.message : String(error);
  return { message: `The document could not be added: ${reason}`, hint: "Try again; what is already stored is kept." };
}
