import type { OAuthGrant } from "../../../../src/engine/credentials/oauth-grant.ts";
import type { Caller } from "../authenticate.ts";
import { credentialHosts } from "../credential-secrets.ts";
import type { CredentialRow } from "../credential-store.ts";
import { isOAuthCredential, type Credential, type OAuthCredential } from "../credential-types.ts";
import type { FunctionContext } from "../endpoint.ts";
import { failure, success, type Failure, type Outcome } from "../failure.ts";
import { grantOfTokens } from "./grant-of-tokens.ts";
import { createOAuthFetch } from "./oauth-fetch.ts";
import { clientTokens } from "./client-tokens.ts";
import { enteredPlace, oauthServerOf } from "./oauth-place.ts";
import { tokenServer } from "./token-server.ts";
import { oauthErrorCode, oauthFailure } from "./oauth-failure.ts";

/** A token that ends this soon is renewed first, in milliseconds. */
const renewBeforeMs = 60_000;

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
  if (!isOAuthCredential(credential)) return success(credential);
  const { grant } = credential.fields;
  const client = credential.type === "oauth2-client" ? credential : undefined;
  if (grant === undefined) {
    if (client) return onlyOnce(row, () => renewClient(row, client, caller, context, options.signal));
    const whose = credential.type !== "mcp-oauth" ? "with this credential" : "to this MCP server";
    const hint = "Open Credentials and choose Sign in.";
    return failure("invalid_credentials", `Nobody has signed in ${whose} yet.`, hint);
  }
  const ends = grant.expiresAt ?? Number.POSITIVE_INFINITY;
  if (options.refused !== true && ends > Date.now() + renewBeforeMs) return success(credential);
  if (client) return onlyOnce(row, () => renewClient(row, client, caller, context, options.signal));
  if (grant.refreshToken === undefined) {
    return options.refused !== true && ends > Date.now() ? success(credential) : signInEnded(credential);
  }
  return onlyOnce(row, () => renew(row, credential, grant, caller, context, options.signal));
}

/** Joins the renewal of this credential that is under way, or begins one. */
function onlyOnce(row: CredentialRow, begin: () => Promise<Outcome<Credential>>): Promise<Outcome<Credential>> {
  const running = underWay.get(row.id);
  if (running !== undefined) return running;
  const renewal = begin().finally(() => underWay.delete(row.id));
  underWay.set(row.id, renewal);
  return renewal;
}

/** A new token for the application itself, stored. */
async function renewClient(
  row: CredentialRow,
  credential: Extract<OAuthCredential, { type: "oauth2-client" }>,
  caller: Caller,
  context: FunctionContext,
  signal: AbortSignal | undefined,
): Promise<Outcome<Credential>> {
  const stored = await renewedElsewhere(row, credential, caller, context);
  if (stored.ok) return stored;
  const place = enteredPlace(credential);
  const secretHosts = [new URL(place.tokenEndpoint).host];
  try {
    const fetchFn = createOAuthFetch(context, oauthServerOf(credential), { signal, secretHosts });
    const grant = grantOfTokens(await clientTokens(place, credential.fields.parameters ?? "", fetchFn), place);
    return grant.ok ? await saveGrant(row, credential, grant.value, caller, context) : grant;
  } catch (error) {
    return oauthFailure(error, "the request for a token");
  }
}

async function saveGrant(
  row: CredentialRow,
  credential: OAuthCredential,
  grant: OAuthGrant,
  caller: Caller,
  context: FunctionContext,
): Promise<Outcome<Credential>> {
  const renewed = withGrant(credential, grant);
  const hosts = credentialHosts(renewed, row.allowed_hosts);
  if (!hosts.ok) return hosts;
  const saved = await context.credentials.renew(caller, { id: row.id, credential: renewed, allowedHosts: hosts.value });
  return saved.ok ? success(renewed) : saved;
}

/** The credential with what signing in, or renewing, brought. */
export function withGrant(credential: OAuthCredential, grant: OAuthGrant): OAuthCredential {
  switch (credential.type) {
    case "mcp-oauth":
      return { type: "mcp-oauth", fields: { ...credential.fields, grant } };
    case "oauth2":
      return { type: "oauth2", fields: { ...credential.fields, grant } };
    case "oauth2-client":
      return { type: "oauth2-client", fields: { ...credential.fields, grant } };
  }
}

async function renew(
  row: CredentialRow,
  credential: OAuthCredential,
  grant: OAuthGrant,
  caller: Caller,
  context: FunctionContext,
  signal: AbortSignal | undefined,
): Promise<Outcome<Credential>> {
  // A used refresh token must not be sent again.
  const stored = await renewedElsewhere(row, credential, caller, context);
  if (stored.ok) return stored;
  const { refreshAuthorization } = await import("@modelcontextprotocol/sdk/client/auth.js");
  const { accessToken: _old, refreshToken = "", expiresAt: _ended, ...rest } = grant;
  try {
    const tokens = await refreshAuthorization(grant.issuer, {
      ...tokenServer(grant),
      refreshToken,
      fetchFn: createOAuthFetch(context, oauthServerOf(credential), {
        signal,
        secretHosts: tokenHosts(row, credential),
      }),
    });
    const renewedGrant = grantOfTokens(tokens, rest);
    if (!renewedGrant.ok) return renewedGrant;
    return await saveGrant(row, credential, renewedGrant.value, caller, context);
  } catch (error) {
    if (oauthErrorCode(error) === null) return oauthFailure(error, "the request for a new token");
    return renewedElsewhere(row, credential, caller, context);
  }
}

/**
 * The credential as it is stored, if it has been renewed since: a call that began before the last renewal still holds what
 * was stored then, and another process may have renewed it a moment ago.
 */
async function renewedElsewhere(
  row: CredentialRow,
  credential: OAuthCredential,
  caller: Caller,
  context: FunctionContext,
): Promise<Outcome<Credential>> {
  const found = await context.credentials.find(caller, row.id);
  if (!found.ok) return found;
  const opened = await context.credentials.open(found.value);
  if (!opened.ok) return opened;
  const now = isOAuthCredential(opened.value) ? opened.value.fields.grant : undefined;
  return now === undefined || now.accessToken === credential.fields.grant?.accessToken
    ? signInEnded(credential)
    : opened;
}

/** Where the secrets of a renewal may go: what signed the person in, and no host that the tokens are for. */
function tokenHosts(row: CredentialRow, credential: OAuthCredential): readonly string[] {
  return credential.type === "mcp-oauth" ? row.allowed_hosts : [new URL(credential.fields.tokenUrl).host];
}

function signInEnded({ type }: OAuthCredential): { ok: false; error: Failure } {
  const what = type === "mcp-oauth" ? "The sign-in to this MCP server" : "The sign-in of this credential";
  return failure("invalid_credentials", `${what} has ended.`, "Open Credentials and choose Sign in again.");
}
