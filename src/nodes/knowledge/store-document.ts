import { RunError } from "../../engine/errors.ts";
import type { KnowledgeCollection } from "../../engine/knowledge/knowledge.ts";
import type { SourceDocument } from "../../engine/knowledge/source-document.ts";
import type { DocumentWriter } from "../../engine/knowledge/stored-documents.ts";
import type { EmbeddingUse } from "../../engine/model/embedding-use.ts";
import { addCost } from "../../engine/model/usage.ts";
import { documentHash } from "./chunk-hash.ts";
import { noteMetadata } from "./note-metadata.ts";
import { ingestDocument, type IngestTools } from "./ingest-document.ts";
import { tooLongFailure } from "./too-long-failure.ts";

/** What became of a document. */
export interface StoredOutcome {
  id: string;
  name: string;
  /** `unchanged`: the same name and content was there already. */
  outcome: "added" | "updated" | "unchanged";
  /** Chunks that stayed as they were, were added and were removed; all 0 where at most the metadata changed. */
  kept: number;
  added: number;
  removed: number;
}

interface StoreTools extends Omit<IngestTools, "writer"> {
  writer: DocumentWriter;
}

/**
 * Adds a document to a collection, or replaces the one of its name: chunks that did not change stay with their vectors. Done again after
 * an interruption, it goes on. Rejects with what went wrong, which the document then says as well, or with the signal's reason.
 */
export async function storeDocument(
  document: SourceDocument,
  collection: KnowledgeCollection,
  tools: StoreTools,
): Promise<StoredOutcome> {
  const { writer, signal } = tools;
  const { name } = document;
  const hash = documentHash(document);
  const found = await writer.findDocuments(collection.id, { name, hash });
  const known = found.find((one) => one.name === name);
  if (known?.hash === hash && known.status === "ready") {
    const outcome = (await noteMetadata(known, document, writer)) ? "updated" : "unchanged";
    return { id: known.id, name, outcome, kept: 0, added: 0, removed: 0 };
  }
  signal.throwIfAborted();
  const { id, ingest } = await writer.putDocument(collection.id, document, { hash });
  let owed: number | null = 0;
  const spend = async (use: EmbeddingUse) => {
    owed = addCost(owed, use.costUsd);
    await tools.spend(use);
    if (owed !== 0) await writer.recordCost(id, owed, ingest);
    owed = 0;
  };
  try {
    const { tooLong, ...changes } = await ingestDocument({ ...document, id, ingest }, collection, { ...tools, spend });
    if (tooLong.length > 0) {
      const failure = tooLongFailure(tooLong, changes.kept + changes.added, collection.embedding?.model ?? "");
      throw new RunError({ code: "context_length", ...failure });
    }
    await writer.finishDocument(id, { status: "ready", costUsd: owed }, ingest);
    return { id, name, outcome: known ? "updated" : "added", ...changes };
  } catch (error) {
    const end = { status: "failed" as const, error: failureWords(error, signal), costUsd: owed };
    // Where that cannot be stored either, the document stays pending, and says so.
    await writer.finishDocument(id, end, ingest).catch(() => {});
    throw error;
  }
}

function failureWords(error: unknown, signal: AbortSignal): { message: string; hint: string } {
  const hint = "Add it again; what is already stored is kept.";
  if (signal.aborted) return { message: "It was stopped before it was complete.", hint };
  if (error instanceof RunError) return { message: error.data.message, hint: error.data.hint };
  const reason = error instanceof Error ? error.message : String(error);
  return { message: `The document could not be added: ${reason}`, hint };
}
