import { RunError } from "../../engine/errors.ts";
import { ServiceError } from "../../services/services.ts";

/** A failure of the engine as one that pages can show, with its hint. */
export function shownError(error: Error): Error {
  if (!(error instanceof RunError)) return error;
  const kind = error.data.code === "invalid_config" ? "invalid" : "server";
  return new ServiceError(kind, error.data.message, error.data.hint);
}
