/**
 * Why something could not be done, as data. The shape is the studio's run error, so that a node, the panel and the
 * log show it as it is. `retryable` says whether the same call may succeed later without any change.
 */
export type FailureCode =
  | "bad_certificate"
  | "blocked_address"
  | "cancelled"
  | "internal"
  | "invalid_config"
  | "invalid_credentials"
  | "invalid_header"
  | "invalid_url"
  | "network"
  | "rate_limit"
  | "redirect_refused"
  | "timeout"
  | "too_large"
  | "too_many_redirects";

/** Why something was not done, in words that may be shown: without secrets, and with what to do about it. */
export interface Failure {
  code: FailureCode;
  message: string;
  hint: string;
  retryable: boolean;
}

/** A value, or why there is none. Expected failures are never thrown. */
export type Outcome<Value> = { ok: true; value: Value } | { ok: false; error: Failure };

const retryable: ReadonlySet<FailureCode> = new Set(["network", "rate_limit", "timeout"]);

/** Builds a failed outcome; whether it is retryable follows from its code. */
export function failure(code: FailureCode, message: string, hint: string): { ok: false; error: Failure } {
  return { ok: false, error: { code, message, hint, retryable: retryable.has(code) } };
}

/** A good outcome. */
export function success<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value };
}
