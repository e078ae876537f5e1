import { RunError } from "../errors.ts";
import { metadataLimits } from "./document-metadata.ts";

/** `invalid_config`: deleted, or of another account. */
export function missingCollection(): RunError {
  return new RunError({
    code: "invalid_config",
    message: "The collection does not exist.",
    hint: "Choose another collection; this one may have been deleted.",
  });
}

/** `invalid_config`: a semantic search without a vector. */
export function missingVector(): RunError {
  return new RunError({
    code: "invalid_config",
    message: "A semantic search needs an embedding of the question.",
    hint: "Give the collection an embedding model, or search by keyword.",
  });
}

/** `invalid_config`: documents for a collection that stands for a table. */
export function onlyRead(): RunError {
  return new RunError({
    code: "invalid_config",
    message: "The collection is a Postgres table, which is only read.",
    hint: "Choose a collection of documents. What is in the table changes in its own database.",
  });
}

/** `invalid_config`: the database does not know such a filter. */
export function unreadableFilter(): RunError {
  return new RunError({
    code: "invalid_config",
    message: "The filter cannot be read by this studio's database.",
    hint: "Use fewer parentheses, or update the studio.",
  });
}

/** `invalid_config`: more metadata than a document may have. */
export function tooMuchMetadata(): RunError {
  const { fields } = metadataLimits;
  return new RunError({
    code: "invalid_config",
    message: `A document would have more than ${fields} fields of metadata, or more than 16 KB.`,
    hint: "Remove fields that nobody filters by on the document's page.",
  });
}

/** `invalid_config`: vectors of `got` numbers in a collection of `expected`. */
export function wrongDimension(expected: number, got: number): RunError {
  return new RunError({
    code: "invalid_config",
    message: `The collection's vectors have ${expected} numbers, but the model gave ${got}.`,
    hint: "Use the collection's own embedding model, or embed the collection again.",
  });
}
