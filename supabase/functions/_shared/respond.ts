import type { Failure, FailureCode } from "./failure.ts";
import { credentialNameHeader, ownErrorHeader } from "../../../src/engine/studio-headers.ts";

const statusOf: Readonly<Record<FailureCode, number>> = {
  bad_certificate: 502,
  blocked_address: 403,
  cancelled: 499,
  internal: 500,
  invalid_config: 400,
  invalid_credentials: 400,
  invalid_header: 400,
  invalid_url: 400,
  network: 502,
  rate_limit: 429,
  redirect_refused: 502,
  timeout: 504,
  too_large: 502,
  too_many_redirects: 502,
};

/** Of every answer of a function: data for who asked, never a page, also where a service behind it sent one. */
export const protectiveHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
};

/** Answers JSON that no cache keeps. */
export function respondJson(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      ...headers,
    },
  });
}

/** Answers `{ error: { code, message, hint, retryable } }` with the status that belongs to the code. */
export function respondFailure(error: Failure, options: { status?: number; retryAfter?: number } = {}): Response {
  const headers: Record<string, string> = { [ownErrorHeader]: "1" };
  if (options.retryAfter !== undefined) headers["retry-after"] = String(options.retryAfter);
  return respondJson({ error }, options.status ?? statusOf[error.code], headers);
}

/**
 * The headers that let a page of another origin read an answer. Only origins that the operator named (`ALLOWED_ORIGIN`)
 * get them; a page of the functions' own origin needs none.
 */
export function crossOriginHeaders(request: Request, allowedOrigins: readonly string[]): Record<string, string> {
  const origin = request.headers.get("origin");
  if (origin === null || !allowedOrigins.includes(origin)) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
    "access-control-allow-headers":
      request.headers.get("access-control-request-headers") ?? "authorization, apikey, content-type",
    "access-control-expose-headers": `${ownErrorHeader}, ${credentialNameHeader}, retry-after, retry-after-ms, x-request-id, request-id, mcp-session-id`,
    "access-control-max-age": "600",
    vary: "Origin",
  };
}
