import { isJsonObject } from "../../engine/json.ts";
import { runErrorCodes, type RunErrorData } from "../../engine/errors.ts";
import { credentialNameHeader } from "../../engine/studio-headers.ts";

/** The name of the credential that an answer was signed with, where the proxy says it. */
export function credentialName(headers: Headers | undefined): string | undefined {
  const encoded = headers?.get(credentialNameHeader);
  if (!encoded) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/**
 * The error inside a refusal of Switchyard's proxy, passed on as it is; undefined when `body` is none.
 * `body` may be the error itself or wrapped as `{ error }`.
 */
export function relayedError(body: unknown): RunErrorData | undefined {
  if (!isJsonObject(body)) return undefined;
  if (isJsonObject(body.error)) return relayedError(body.error);
  if (typeof body.code !== "string" || typeof body.message !== "string") return undefined;
  // The proxy also tells apart what happened on the network; to a run all of that is a failed model call.
  const code = runErrorCodes.find((known) => known === body.code) ?? "model_error";
  return {
    code,
    message: body.message,
    hint: typeof body.hint === "string" ? body.hint : "",
    retryable: body.retryable === true,
    ...(typeof body.retryAfterMs === "number" ? { retryAfterMs: body.retryAfterMs } : {}),
    cause: body.cause ?? { code: body.code },
  };
}
