import { RunError } from "../../engine/run/errors.ts";
import { ServiceError } from "../../services/services.ts";

/** A failure in words that can be shown, whatever was thrown. */
export function shownFailure(error: unknown): { message: string; hint: string } {
  if (error instanceof ServiceError) return { message: error.message, hint: error.hint };
  if (error instanceof RunError) return { message: error.data.message, hint: error.data.hint };
  const reason = error instanceof Error ? error.message : String(error);
  return { message: `The document could not be added: ${reason}`, hint: "Try again; what is already stored is kept." };
}
