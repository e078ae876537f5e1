import type { RunErrorData } from "../../engine/errors.ts";

/** What Stop leaves behind. */
export function cancelledError(): RunErrorData {
  return {
    code: "cancelled",
    message: "The model call was cancelled.",
    hint: "Run it again when you are ready.",
    retryable: false,
  };
}
