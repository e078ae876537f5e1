import { isJsonObject } from "../../engine/json.ts";
import type { RunErrorData } from "../../engine/run/errors.ts";
import { cancelledError } from "../wire/cancelled-error.ts";
import { cutError, mapSdkError, type ErrorPlace } from "../wire/sdk-error.ts";
import { credentialName, ownErrorHeader } from "../wire/relayed-error.ts";
import { googleQuota } from "../wire/google-quota.ts";
import { retryAfterMs } from "../wire/retry-after.ts";
import { StreamRefusal } from "../wire/translate-events.ts";
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

/**
 * Maps whatever a Gemini call threw. Google's errors are `{ error: { code, status, message, details } }`, with a number as the code;
 * those of the Interactions API are `{ error: { code, message } }`, with a word as the code.
 */
export function mapGeminiError(error: unknown, place: ErrorPlace): RunErrorData {
  if (place.signal.aborted) return cancelledError();
  if (error instanceof GeminiRefusal) {
    if (error.headers.get(ownErrorHeader)) return mapSdkError(error, place);
    return fromGoogle(error.error, error.status, error.message, place, error.headers);
  }
  if (error instanceof StreamRefusal) {
    return fromGoogle({ error: error.error }, undefined, error.message, place, error.headers);
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
  const word = typeof inner?.code === "string" ? inner.code : inner?.status;
  const message = typeof inner?.message === "string" ? inner.message : words;
  if (isBlock(inner?.code, message)) return blockedError(place.vendor, message);
  if (brokenCalls.has(inner?.code)) return cutError(place.vendor, message);
  const { spent, retryAfterMs: told } = googleQuota(inner?.details, message);
  const delay = retryAfterMs(headers, place.now) ?? told;
  return vendorError({
    vendor: place.vendor,
    credential: credentialName(headers),
    status: status !== undefined && !Number.isNaN(status) ? status : (code ?? statuses.get(word)),
    ...(typeof word === "string" ? { code: word } : {}),
    message,
    ...(spent || word === "quota_exceeded" ? { spent: true } : {}),
    ...(delay !== undefined ? { retryAfterMs: delay } : {}),
  });
}

/** The words of the Interactions API for what stands as a number in the answer's status ("API errors"); in a stream they come alone. */
const statuses = new Map<unknown, number>([
  ["invalid_request", 400],
  ["failed_precondition", 400],
  ["parameter_unknown", 400],
  ["missing_thought_signature", 400],
  ["authentication", 401],
  ["payment_required", 402],
  ["permission_denied", 403],
  ["not_found", 404],
  ["model_not_found", 404],
  ["aborted", 409],
  ["out_of_range", 416],
  ["rate_limit_exceeded", 429],
  ["quota_exceeded", 429],
  ["too_many_requests", 429],
  ["api_error", 500],
  ["service_unavailable", 503],
  ["deadline_exceeded", 504],
  ["gateway_timeout", 504],
]);

/** Its words for an answer that its rules stopped. */
const blocks = new Set<unknown>([
  "safety",
  "recitation",
  "language",
  "prohibited_content",
  "spii",
  "blocklist",
  "image_safety",
  "image_prohibited_content",
  "image_recitation",
  "image_other",
  "content_blocked",
]);

/** Its words for calls that it could not read; the model may do better when asked again. */
const brokenCalls = new Set<unknown>([
  "malformed_function_call",
  "malformed_tool_call",
  "unexpected_tool_call",
  "too_many_tool_calls",
]);

function isBlock(code: unknown, message: string): boolean {
  return blocks.has(code) || (code === "invalid_request" && /^request blocked due to/i.test(message));
}

/** What was asked or answered is against the vendor's rules. */
export function blockedError(vendor: string, reason: string): RunErrorData {
  return {
    code: "content_filter",
    message: `${vendor} refused the prompt: ${reason}`,
    hint: "Rephrase the message or the system prompt, or change the node's safety settings.",
    retryable: false,
    cause: { reason },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
