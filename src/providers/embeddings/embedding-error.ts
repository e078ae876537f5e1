import type { RunErrorData } from "../../engine/errors.ts";
import { atStart } from "../wire/sentence-start.ts";

/** How servers say that a text is too long, some of them as a fault of their own (llama.cpp, Ollama: status 500). */
const tooLongWords =
  /context.?(length|size|window)|maximum context|input (length|is too large)|too many (input )?tokens|token count|less than \d+ tokens|reduce the length|sequence.{0,20}too long/i;

/**
 * A failed embedding request in words for what it is about: where a chat model's error speaks of a conversation, this one
 * speaks of texts. Too long (`context_length`) is never tried again.
 */
export function embeddingError(data: RunErrorData, vendor: string): RunErrorData {
  if (data.code === "invalid_config") {
    return { ...data, hint: "Check the name of the embedding model, and the base URL of the credential." };
  }
  const isTooLong =
    data.code === "context_length" || (data.code === "model_error" && tooLongWords.test(reasonOf(data)));
  if (!isTooLong) return data;
  const { retryAfterMs: _wait, ...rest } = data;
  return {
    ...rest,
    code: "context_length",
    message: `${atStart(vendor)} says that the text is too long for the embedding model: ${reasonOf(data)}`,
    hint: "Choose a smaller chunk size, or an embedding model that takes longer texts.",
    retryable: false,
  };
}

/** The vendor's own words. */
function reasonOf({ cause, message }: RunErrorData): string {
  const said = typeof cause === "object" && cause !== null ? Reflect.get(cause, "message") : undefined;
  return typeof said === "string" && said !== "" ? said : message;
}
