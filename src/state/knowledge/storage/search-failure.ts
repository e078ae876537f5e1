import {
  missingCollection,
  missingVector,
  onlyRead,
  tooMuchMetadata,
  unreadableFilter,
  wrongDimension,
} from "../../../engine/knowledge/knowledge-errors.ts";
import { RunError } from "../../../engine/errors.ts";
import { ServiceError } from "../../../services/services.ts";

/** What the knowledge functions of the database raise, by message (see the migration), as the engine's errors. */
function knownFailure(message: string): RunError | null {
  if (message.includes("knowledge_collection_missing")) return missingCollection();
  if (message.includes("knowledge_vector_missing")) return missingVector();
  if (message.includes("knowledge_only_read")) return onlyRead();
  if (message.includes("knowledge_filter_invalid")) return unreadableFilter();
  if (/knowledge_metadata_limit|knowledge_documents_metadata_check/.test(message)) return tooMuchMetadata();
  const [, expected, got] = /knowledge_vector_length (\d+) (\d+)/.exec(message) ?? [];
  return expected === undefined ? null : wrongDimension(Number(expected), Number(got));
}

/** A failed search for the engine. */
export function searchError(error: { message: string; code?: string }): RunError {
  const known = knownFailure(error.message);
  if (known) return known;
  return new RunError({
    code: "tool_error",
    message: `The collection could not be searched: ${error.message || "the database did not answer"}.`,
    hint: "Check that you are online and signed in, then try again.",
    retryable: true,
    ...(error.code ? { cause: error.code } : {}),
  });
}

/** A refusal of the knowledge functions for a page; null for what every request can meet. */
export function storeFailure(message: string): ServiceError | null {
  if (message.includes("knowledge_document_missing")) {
    return new ServiceError("not-found", "The document no longer exists.", "Add it again.");
  }
  if (message.includes("knowledge_document_waits")) {
    const hint = "A worker stores it within seconds. Start one if none is running.";
    return new ServiceError("conflict", "A new file was added for this document.", hint);
  }
  if (message.includes("knowledge_document_replaced")) {
    const hint = "The most recent one is stored. Add this one again to replace it.";
    return new ServiceError("conflict", "Another document with the same name has replaced it.", hint);
  }
  if (message.includes("knowledge_model_changed")) {
    const hint = "Resume the document: the rest is embedded with the new model.";
    return new ServiceError("conflict", "The collection's embedding model was changed meanwhile.", hint);
  }
  const known = knownFailure(message);
  if (!known) return null;
  const kind = known.message === missingCollection().message ? "not-found" : "invalid";
  return new ServiceError(kind, known.data.message, known.data.hint);
}
