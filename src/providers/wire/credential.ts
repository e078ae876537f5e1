import type { RunErrorData } from "../../engine/errors.ts";

/** Said before any request when a model has no credential. */
export function missingCredential(vendor: string): RunErrorData {
  return {
    code: "invalid_credentials",
    message: `This model has no credential for ${vendor}.`,
    hint: "Choose a credential on the model node, or make one there.",
    retryable: false,
  };
}

/** The same of an embedding model, which is set on a memory, a knowledge base or a collection. */
export function missingEmbeddingCredential(vendor: string): RunErrorData {
  return {
    ...missingCredential(vendor),
    message: `The embedding model has no credential for ${vendor}.`,
    hint: "Choose a credential beside the embedding model, or make one there.",
  };
}
