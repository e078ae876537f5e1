import type { Caller } from "../_shared/authenticate.ts";
import { credentialHosts } from "../_shared/credential-secrets.ts";
import type { CredentialRow } from "../_shared/credential-store.ts";
import type { OAuthCredential } from "../_shared/credential-types.ts";
import type { FunctionContext } from "../_shared/endpoint.ts";
import { failure, type Failure, type Outcome } from "../_shared/failure.ts";
import { grantOfTokens, type Tokens } from "../_shared/oauth/grant-of-tokens.ts";
import { withGrant } from "../_shared/oauth/current-grant.ts";
import { oauthServerOf } from "../_shared/oauth/oauth-place.ts";
import { createOAuthFetch } from "../_shared/oauth/oauth-fetch.ts";
import { tokenServer } from "../_shared/oauth/token-server.ts";
import { oauthFailure } from "../_shared/oauth/oauth-failure.ts";
import { fingerprint, openPending, type PendingSignIn, type SealedSignIn } from "./pending-sign-in.ts";

interface SignInAnswer {
  pending: SealedSignIn;
  state: string;
  code: string;
  /** The issuer that the answer names (RFC 9207), if any. */
  issuer?: string | undefined;
  signal: AbortSignal;
}

/** Takes what the person brought back, exchanges it for tokens and stores them in the credential. */
export async function finishSignIn(
  row: CredentialRow,
  credential: OAuthCredential,
  answer: SignInAnswer,
  caller: Caller,
  context: FunctionContext,
): Promise<Outcome<CredentialRow>> {
  const binding = { owner: caller.userId, credentialId: row.id };
  const opened = await openPending(context.environment, binding, answer.pending);
  if (!opened.ok) return opened;
  const pending = opened.value;
  if (pending.state !== answer.state || !isIssuer(credential, pending, answer.issuer)) return foreignAnswer();
  if (pending.signedInWith !== (await fingerprint(credential.fields))) return overtaken();
  const { exchangeAuthorization } = await import("@modelcontextprotocol/sdk/client/auth.js");
  const { grant } = pending;
  let tokens: Tokens;
  try {
    tokens = await exchangeAuthorization(grant.issuer, {
      ...tokenServer(grant),
      authorizationCode: answer.code,
      codeVerifier: pending.codeVerifier,
      redirectUri: pending.redirectUrl,
      fetchFn: createOAuthFetch(context, oauthServerOf(credential), { signal: answer.signal }),
    });
  } catch (error) {
    return oauthFailure(error, "the request for a token");
  }
  const signedIn = grantOfTokens(tokens, grant);
  if (!signedIn.ok) return signedIn;
  const done = withGrant(credential, signedIn.value);
  const hosts = credentialHosts(done, row.allowed_hosts);
  if (!hosts.ok) return hosts;
  // The settings hold only what this sign-in has just asked for.
  const { id } = row;
  const kept = await context.credentials.renew(caller, {
    id,
    credential: done,
    allowedHosts: hosts.value,
    settings: {},
  });
  return kept.ok ? context.credentials.find(caller, id) : kept;
}

/** An answer that names no issuer is fine only from a server that never does. */
function isIssuer(
  { type }: OAuthCredential,
  { grant, namesIssuer }: PendingSignIn,
  issuer: string | undefined,
): boolean {
  // A person entered only the page, and services name themselves as they like, but where the page is.
  if (type === "oauth2")
    return issuer === undefined || (URL.canParse(issuer) && new URL(issuer).origin === grant.issuer);
  return issuer === undefined ? !namesIssuer : issuer === grant.issuer;
}

function foreignAnswer(): { ok: false; error: Failure } {
  return failure(
    "invalid_credentials",
    "The answer does not belong to the sign-in that was begun here, so it was not used.",
    "Sign in again.",
  );
}

function overtaken(): { ok: false; error: Failure } {
  const message = "The credential has changed since this sign-in was begun, or the sign-in was done already.";
  return failure(
    "invalid_credentials",
    message,
    "Sign in again if the credential does not say that you are signed in.",
  );
}
