import { isJsonObject } from "../../engine/json.ts";
import { RunError, type RunErrorData } from "../../engine/run/errors.ts";
import { cancelledError } from "./cancelled-error.ts";
import { googleQuota } from "./google-quota.ts";
import { credentialName, ownErrorHeader, relayedError } from "./relayed-error.ts";
import { retryAfterMs } from "./retry-after.ts";
import { vendorError } from "./vendor-error.ts";

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
 * Maps whatever a vendor's SDK threw. The OpenAI and Anthropic SDKs throw errors of one shape: `status`, `headers`,
 * `error` (the answer's body, or its `error` member) when the vendor answered, and none of them when the connection failed.
 */
export function mapSdkError(error: unknown, place: ErrorPlace): RunErrorData {
  if (place.signal.aborted) return cancelledError();
  const own = thrownRunError(error);
  if (own) return own;
  if (error instanceof SyntaxError) return cutError(place.vendor, "it sent something that is not valid JSON.");
  const { vendor } = place;
  const status = property(error, "status");
  const headers = property(error, "headers");
  const answered = headers instanceof Headers ? headers : undefined;
  const body = property(error, "error");
  if (answered?.get(ownErrorHeader)) {
    const relayed = relayedError(body);
    const wait = retryAfterMs(answered, place.now);
    if (relayed) return wait === undefined ? relayed : { retryAfterMs: wait, ...relayed };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (typeof status !== "number" && body === undefined) return connectionError(vendor, error, message);
  const inner = isJsonObject(body) && isJsonObject(body.error) ? body.error : body;
  const words = typeof inner === "string" ? inner : (text(property(inner, "message")) ?? message);
  const code = text(property(inner, "code"));
  const { spent, retryAfterMs: told } = googleQuota(property(inner, "details"), words);
  return vendorError({
    vendor,
    credential: credentialName(answered),
    status: typeof status === "number" ? status : statusIn(code),
    code,
    type: text(property(inner, "type")),
    message: words,
    requestId: answered?.get("x-request-id") ?? answered?.get("request-id") ?? undefined,
    retryAfterMs: retryAfterMs(answered, place.now) ?? told,
    ...(spent ? { spent } : {}),
  });
}

/** An error inside an answer that began well has its status as its code (OpenRouter). */
function statusIn(code: string | undefined): number | undefined {
  return code !== undefined && /^[45]\d\d$/.test(code) ? Number(code) : undefined;
}

function connectionError(vendor: string, error: unknown, message: string): RunErrorData {
  const name = error instanceof Error ? error.constructor.name : "";
  if (/timeout/i.test(name)) {
    return {
      code: "timeout",
      message: `${vendor} did not answer in time.`,
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

/** A RunError that the host threw, wherever the SDK wrapped it. */
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
