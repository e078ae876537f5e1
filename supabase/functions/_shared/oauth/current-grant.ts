import type { OAuthGrant } from "../../../../src/engine/credentials/oauth-grant.ts";
import type { Caller } from "../authenticate.ts";
import { credentialHosts } from "../credential-secrets.ts";
import type { CredentialRow } from "../credential-store.ts";
import type { Credential } from "../credential-types.ts";
import type { FunctionContext } from "../endpoint.ts";
import { failure, success, type Failure, type Outcome } from "../failure.ts";
import { grantOfTokens } from "./grant-of-tokens.ts";
import { createOAuthFetch } from "./oauth-fetch.ts";
import { tokenServer } from "./token-server.ts";
import { oauthErrorCode, oauthFailure } from "./oauth-failure.ts";

type SignedIn = Extract<Credential, { type: "mcp-oauth" }>;

/** A token that ends this soon is renewed first, in milliseconds. */
const RENEW_BEFORE_MS = 60_000;

/** Renewals under way by credential: most servers take a refresh token once, so that two at a time would end the sign-in. */
const underWay = new Map<string, Promise<Outcome<Credential>>>();

/**
 * A credential as it can be used now: where a person signed in, with a token that is still good, renewed and stored when it
 * is not, or when `refused` says that the server refused this very token. Other types come back as they are. Fails with
 * `invalid_credentials` when nobody signed in or the sign-in has ended.
 */
export async function currentCredential(
  row: CredentialRow,
  credential: Credential,
  caller: Caller,
  context: FunctionContext,
  options: { refused?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<Outcome<Credential>> {
  if (credential.type !== "mcp-oauth") return success(credential);
  const { grant } = credential.fields;
  if (grant === undefined) {
    return failure(
      "invalid_credentials",
      "Nobody has signed in to this MCP server yet.",
      "Open Credentials and choose Sign in.",
    );
  }
  const ends = grant.expiresAt ?? Number.POSITIVE_INFINITY;
  if (options.refused !== true && ends > Date.now() + RENEW_BEFORE_MS) return success(credential);
  if (grant.refreshToken === undefined) {
    return options.refused !== true && ends > Date.now() ? success(credential) : signInEnded();
  }
  const running = underWay.get(row.id);
  if (running !== undefined) return running;
  const renewal = renew(row, credential, grant, caller, context, options.signal).finally(() => underWay.delete(row.id));
  underWay.set(row.id, renewal);
  return renewal;
}

async function renew(
  row: CredentialRow,
  credential: SignedIn,
  grant: OAuthGrant,
  caller: Caller,
  context: FunctionContext,
  signal: AbortSignal | undefined,
): Promise<Outcome<Credential>> {
  // A call that began before the last renewal still holds what was stored then; a used refresh token must not be sent again.
  const stored = await renewedElsewhere(row, grant, caller, context);
  if (stored.ok) return stored;
  const { refreshAuthorization } = await import("@modelcontextprotocol/sdk/client/auth.js");
  const { accessToken: _old, refreshToken = "", expiresAt: _ended, ...rest } = grant;
  try {
    const tokens = await refreshAuthorization(grant.issuer, {
      ...tokenServer(grant),
      refreshToken,
      fetchFn: createOAuthFetch(context, credential.fields.url, { signal, secretHosts: row.allowed_hosts }),
    });
    const renewedGrant = grantOfTokens(tokens, rest);
    if (!renewedGrant.ok) return renewedGrant;
    const renewed: Credential = { type: "mcp-oauth", fields: { ...credential.fields, grant: renewedGrant.value } };
    const hosts = credentialHosts(renewed, []);
    if (!hosts.ok) return hosts;
    const saved = await context.credentials.save(caller, {
      id: row.id,
      name: row.name,
      credential: renewed,
      allowedHosts: hosts.value,
    });
    return saved.ok ? success(renewed) : saved;
  } catch (error) {
    if (oauthErrorCode(error) === null) return oauthFailure(error, "the request for a new token");
    return renewedElsewhere(row, grant, caller, context);
  }
}

/** The credential as it is stored, if someone else has renewed it since; another process may have, a moment ago. */
async function renewedElsewhere(
  row: CredentialRow,
  refused: OAuthGrant,
  caller: Caller,
  context: FunctionContext,
): Promise<Outcome<Credential>> {
  const found = await context.credentials.find(caller, row.id);
  if (!found.ok) return found;
  const opened = await context.credentials.open(found.value);
  if (!opened.ok) return opened;
  const now = opened.value.type === "mcp-oauth" ? opened.value.fields.grant : undefined;
  return now === undefined || now.accessToken === refused.accessToken ? signInEnded() : opened;
}

function signInEnded(): { ok: false; error: Failure } {
  return failure(
    "invalid_credentials",
    "The sign-in to this MCP server has ended.",
    "Open Credentials and choose Sign in again.",
  );
}
