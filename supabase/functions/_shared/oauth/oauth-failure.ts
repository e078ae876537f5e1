import { failure, type Failure } from "../failure.ts";
import { OAuthFetchError } from "./oauth-fetch.ts";

/** The error code of RFC 6749 §5.2 that an authorization server answered with, if it did. */
export function oauthErrorCode(error: unknown): string | null {
  return error instanceof Error && "errorCode" in error && typeof error.errorCode === "string" ? error.errorCode : null;
}

/** What went wrong while talking to an authorization server. Its words may quote what was sent, so only codes are told. */
export function oauthFailure(error: unknown, what: string): { ok: false; error: Failure } {
  if (error instanceof OAuthFetchError) return { ok: false, error: error.failure };
  const code = oauthErrorCode(error);
  const said = code === null ? "with something that is no answer to it" : `with the error ${code.slice(0, 100)}`;
  return failure(
    "invalid_credentials",
    `The sign-in server answered ${what} ${said}.`,
    "Check client ID, client secret and scopes, and sign in again. If it keeps happening, use a credential with a token instead.",
  );
}
