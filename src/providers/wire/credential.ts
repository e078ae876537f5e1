import type { RunErrorData } from "../../engine/run/errors.ts";

/** Said before any request when a model node has no credential. */
export function missingCredential(vendor: string): RunErrorData {
  return {
    code: "invalid_credentials",
    message: `This model has no credential for ${vendor}.`,
    hint: "Choose a credential on the model node, or make one there.",
    retryable: false,
  };
}
