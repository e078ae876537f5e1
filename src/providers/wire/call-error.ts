import { isJsonObject } from "../../engine/json.ts";
import { RunError, type RunErrorData } from "../../engine/errors.ts";
import { cancelledError } from "./cancelled-error.ts";
import { googleQuota } from "./google-quota.ts";
import { credentialName, relayedError } from "./relayed-error.ts";
import { retryAfterMs } from "./retry-after.ts";
import { atStart } from "./sentence-start.ts";
import { vendorError } from "./vendor-error.ts";
import { VendorRefusal } from "./vendor-refusal.ts";
import { ownErrorHeader } from "../../engine/studio-headers.ts";

/** Where an error came up: the vendor's name for people, the call's signal, and the time in milliseconds since 1970. */
export interface ErrorPlace {
  vendor: string;
  signal: AbortSignal;
  now: number;
}

/** A stream that stopped in the middle: what came before has been delivered. */
export function cutError(vendor: string, reason: string): RunErrorData {
  return {
    code: "model_error",
    message: `The answer from ${vendor} was cut off: ${reason}`,
    hint: "Try again; if it keeps happening, check the network and the model server.",
    retryable: true,
    cause: { reason },
  };
}

/**
 * Maps whatever sending a request or reading its answer rejected with. `errorIn` finds the error in the body of a refusal; most
 * vendors have it in the member `error`.
 */
export function mapCallError(error: unknown, place: ErrorPlace, errorIn = errorMember): RunErrorData {
  if (place.signal.aborted) return cancelledError();
  const own = thrownRunError(error);
  if (own) return own;
  if (error instanceof SyntaxError) return cutError(place.vendor, "it sent something that is not valid JSON.");
  if (!(error instanceof VendorRefusal)) return connectionError(place.vendor, error);
  const { headers, body } = error;
  const wait = retryAfterMs(headers, place.now);
  const relayed = headers.get(ownErrorHeader) ? relayedError(body) : undefined;
  if (relayed) return wait === undefined ? relayed : { retryAfterMs: wait, ...relayed };
  const inner = body === undefined ? undefined : errorIn(body);
  const words = typeof inner === "string" ? inner : (text(property(inner, "message")) ?? error.message);
  const code = text(property(inner, "code"));
  const { spent, retryAfterMs: told } = googleQuota(property(inner, "details"), words);
  return vendorError({
    vendor: place.vendor,
    credential: credentialName(headers),
    status: error.status ?? statusIn(code),
    code,
    type: text(property(inner, "type")),
    message: words,
    requestId: headers.get("x-request-id") ?? headers.get("request-id") ?? undefined,
    retryAfterMs: wait ?? told,
    ...(spent ? { spent } : {}),
    // Groq ("Tool use", errors), also for those that it serves through others.
    ...(code === "tool_use_failed" ? { unreadableCall: text(property(inner, "failedGeneration")) ?? "" } : {}),
  });
}

function errorMember(body: unknown): unknown {
  return isJsonObject(body) && isJsonObject(body.error) ? body.error : body;
}

/** An error inside an answer that began well has its status as its code (OpenRouter). */
function statusIn(code: string | undefined): number | undefined {
  return code !== undefined && /^[45]\d\d$/.test(code) ? Number(code) : undefined;
}

function connectionError(vendor: string, error: unknown): RunErrorData {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && error.name === "TimeoutError") {
    return {
      code: "timeout",
      message: `${atStart(vendor)} did not answer in time.`,
      hint: "Try again; if it happens often, choose a faster model.",
      retryable: true,
    };
  }
  const reasons = [message, ...causes(error).map((cause) => cause.message)];
  return {
    code: "model_error",
    message: `The connection to ${vendor} failed: ${reasons.at(-1) ?? message}`,
    hint: "Check that the address in the credential is right, that the server runs, and that the network works.",
    retryable: true,
    cause: { reasons },
  };
}

/** A RunError that the host threw, also as the reason of another error. */
function thrownRunError(error: unknown): RunErrorData | undefined {
  if (error instanceof RunError) return error.data;
  for (const cause of causes(error)) if (cause instanceof RunError) return cause.data;
  return undefined;
}

function causes(error: unknown): Error[] {
  const found: Error[] = [];
  let current = property(error, "cause");
  while (current instanceof Error && found.length < 8) {
    found.push(current);
    current = current.cause;
  }
  return found;
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : undefined;
}
