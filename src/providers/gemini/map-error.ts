import { isJsonObject } from "../../engine/json.ts";
import type { RunErrorData } from "../../engine/errors.ts";
import { cutError, mapCallError, type ErrorPlace } from "../wire/call-error.ts";
import { credentialName } from "../wire/relayed-error.ts";
import { googleQuota } from "../wire/google-quota.ts";
import { retryAfterMs } from "../wire/retry-after.ts";
import { vendorError } from "../wire/vendor-error.ts";
import { VendorRefusal } from "../wire/vendor-refusal.ts";
import { ownErrorHeader } from "../../engine/studio-headers.ts";

/**
 * Maps whatever a Gemini call threw. Google's errors are `{ error: { code, status, message, details } }`, with a number as the code;
 * those of the Interactions API are `{ error: { code, message } }`, with a word as the code.
 */
export function mapGeminiError(error: unknown, place: ErrorPlace): RunErrorData {
  const isVendors = error instanceof VendorRefusal && !error.headers.get(ownErrorHeader);
  return isVendors && !place.signal.aborted ? fromGoogle(error, place) : mapCallError(error, place);
}

function fromGoogle({ body, status, headers, message: text }: VendorRefusal, place: ErrorPlace): RunErrorData {
  // Some endpoints wrap their one error in a list.
  const whole: unknown = Array.isArray(body) ? body[0] : body;
  const inner = isJsonObject(whole) && isJsonObject(whole.error) ? whole.error : undefined;
  const code = typeof inner?.code === "number" ? inner.code : undefined;
  const word = typeof inner?.code === "string" ? inner.code : inner?.status;
  const message = typeof inner?.message === "string" ? inner.message : text;
  if (isBlock(inner?.code, message)) return blockedError(place.vendor, message);
  if (brokenCalls.has(inner?.code)) return cutError(place.vendor, message);
  const { spent, retryAfterMs: told } = googleQuota(inner?.details, message);
  const delay = retryAfterMs(headers, place.now) ?? told;
  return vendorError({
    vendor: place.vendor,
    credential: credentialName(headers),
    status: status ?? code ?? statuses.get(word),
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

/** Throws the error in something that Google sent. */
export function throwRefusal(sent: unknown, headers: Headers): void {
  const whole: unknown = Array.isArray(sent) ? sent[0] : sent;
  if (isJsonObject(whole) && isJsonObject(whole.error)) throw new VendorRefusal({ headers, body: whole });
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
