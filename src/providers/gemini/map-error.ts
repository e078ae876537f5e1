import { isJsonObject } from "../../engine/json.ts";
import type { RunErrorData } from "../../engine/run/errors.ts";
import { cancelledError } from "../wire/cancelled-error.ts";
import { cutError, mapSdkError, type ErrorPlace } from "../wire/sdk-error.ts";
import { credentialName, ownErrorHeader } from "../wire/relayed-error.ts";
import { googleQuota } from "../wire/google-quota.ts";
import { retryAfterMs } from "../wire/retry-after.ts";
import { vendorError } from "../wire/vendor-error.ts";

/** A refusal caught before the SDK sees it, since the SDK's own error forgets the headers. */
export class GeminiRefusal extends Error {
  readonly status: number;
  readonly headers: Headers;
  /** The answer's body, parsed where it is JSON. */
  readonly error: unknown;
  constructor(status: number, headers: Headers, text: string) {
    super(text.slice(0, 500) || `status ${status}`);
    this.name = "GeminiRefusal";
    this.status = status;
    this.headers = headers;
    this.error = parsed(text);
  }
}

/** Maps whatever a Gemini call threw; Google's errors are `{ error: { code, status, message, details } }`. */
export function mapGeminiError(error: unknown, place: ErrorPlace): RunErrorData {
  if (place.signal.aborted) return cancelledError();
  if (error instanceof GeminiRefusal) {
    if (error.headers.get(ownErrorHeader)) return mapSdkError(error, place);
    return fromGoogle(error.error, error.status, error.message, place, error.headers);
  }
  // An error inside the stream: the SDK makes an ApiError of it, with the JSON as its message.
  if (error instanceof Error && error.name === "ApiError") {
    const text = error.message.replace(/^got status: [^{]*/, "");
    return fromGoogle(parsed(text), "status" in error ? Number(error.status) : undefined, error.message, place);
  }
  if (error instanceof Error && /JSON|parsing stream chunk|Unexpected (token|end)/i.test(error.message)) {
    return cutError(place.vendor, "it sent something that is not valid JSON.");
  }
  return mapSdkError(error, place);
}

function fromGoogle(
  body: unknown,
  status: number | undefined,
  words: string,
  place: ErrorPlace,
  headers?: Headers,
): RunErrorData {
  // Some endpoints wrap their one error in a list.
  const whole: unknown = Array.isArray(body) ? body[0] : body;
  const inner = isJsonObject(whole) && isJsonObject(whole.error) ? whole.error : undefined;
  const code = typeof inner?.code === "number" ? inner.code : undefined;
  const message = typeof inner?.message === "string" ? inner.message : words;
  const { spent, retryAfterMs: told } = googleQuota(inner?.details, message);
  const delay = retryAfterMs(headers, place.now) ?? told;
  return vendorError({
    vendor: place.vendor,
    credential: credentialName(headers),
    status: status !== undefined && !Number.isNaN(status) ? status : code,
    ...(typeof inner?.status === "string" ? { code: inner.status } : {}),
    message,
    ...(spent ? { spent } : {}),
    ...(delay !== undefined ? { retryAfterMs: delay } : {}),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
