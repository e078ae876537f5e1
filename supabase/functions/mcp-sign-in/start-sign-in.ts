import { joinScopes } from "../../../src/engine/credentials/scopes.ts";
import type { Caller } from "../_shared/authenticate.ts";
import type { CredentialFields } from "../_shared/credential-types.ts";
import type { FunctionContext } from "../_shared/endpoint.ts";
import { failure, success, type Outcome } from "../_shared/failure.ts";
import { checkGrantPlace } from "../_shared/oauth/grant-of-tokens.ts";
import { createOAuthFetch, OAuthFetchError, type OAuthFetch, oauthPolicy } from "../_shared/oauth/oauth-fetch.ts";
import { oauthErrorCode, oauthFailure } from "../_shared/oauth/oauth-failure.ts";
import { checkPlace, namesIssuer } from "./check-place.ts";
import { clientMetadataFor, type OwnClient } from "./own-client.ts";
import { discoverSignIn, saysNotWhere, type SignInPlace } from "./discover.ts";
import { fingerprint, sealPending, type SealedSignIn } from "./pending-sign-in.ts";

export interface StartedSignIn {
  /** Where the person goes. */
  authorizationUrl: string;
  /** Comes back with the person. */
  state: string;
  /** What the browser hands back to finish; unreadable to it. */
  pending: SealedSignIn;
}

interface SignInRequest {
  credential: string;
  redirectUrl: string;
  /** The studio's own client ID, where it has one that leads back to `redirectUrl`. */
  ownClient: OwnClient | null;
  /** Scopes that the server has asked for since the last sign-in. */
  wantedScope: string;
  signal: AbortSignal;
}

interface Client {
  client_id: string;
  client_secret?: string | undefined;
}

/** Finds the sign-in of an MCP server, registers the studio with it where no client ID is given, and says where to go. */
export async function startSignIn(
  fields: CredentialFields<"mcp-oauth">,
  request: SignInRequest,
  caller: Caller,
  context: FunctionContext,
): Promise<Outcome<StartedSignIn>> {
  const { redirectUrl, signal } = request;
  const fetchFn = createOAuthFetch(context, fields.url, { signal });
  const discovered = await discoverSignIn(fields.url, fetchFn);
  if (!discovered.ok) return discovered;
  const place = discovered.value;
  const safe = checkPlace(place, fields.url, oauthPolicy(context.environment, fields.url));
  if (!safe.ok) return safe;
  const kept = checkSecretPlace(fields, place);
  if (!kept.ok) return kept;
  // What was agreed to once is asked for again, or a second sign-in would take rights away.
  const scope = joinScopes(fields.scope ?? place.scope, fields.grant?.scope, request.wantedScope);
  const client = await clientOf(fields, place, { ...request, scope }, fetchFn);
  if (!client.ok) return client;
  const grant = checkGrantPlace({
    issuer: place.metadata.issuer,
    tokenEndpoint: place.metadata.token_endpoint,
    tokenAuthMethods: authMethods(place),
    clientId: client.value.client_id,
    ...(client.value.client_secret === undefined ? {} : { clientSecret: client.value.client_secret }),
    resource: place.resource,
    ...(scope === "" ? {} : { scope }),
  });
  if (!grant.ok) return grant;
  const { startAuthorization } = await import("@modelcontextprotocol/sdk/client/auth.js");
  const state = crypto.randomUUID();
  try {
    const { authorizationUrl, codeVerifier } = await startAuthorization(place.issuer, {
      metadata: place.metadata,
      clientInformation: client.value,
      redirectUrl,
      state,
      resource: place.resource,
      ...(scope === "" ? {} : { scope }),
    });
    const sealed = await sealPending(
      context.environment,
      { owner: caller.userId, credentialId: request.credential },
      {
        state,
        codeVerifier,
        redirectUrl,
        namesIssuer: namesIssuer(place.metadata),
        signedInWith: await fingerprint(fields),
        grant: grant.value,
      },
    );
    return sealed.ok ? success({ authorizationUrl: authorizationUrl.href, state, pending: sealed.value }) : sealed;
  } catch (error) {
    return oauthFailure(error, "the request to sign in");
  }
}

/**
 * A client secret that a person entered stays with the authorization server that it was used with first: an MCP server may
 * name another one at any time.
 */
function checkSecretPlace(fields: CredentialFields<"mcp-oauth">, { metadata }: SignInPlace): Outcome<null> {
  const { clientSecret, grant } = fields;
  if (clientSecret === undefined || grant === undefined) return success(null);
  if (new URL(grant.tokenEndpoint).origin === new URL(metadata.token_endpoint).origin) return success(null);
  return failure(
    "invalid_credentials",
    "The MCP server now names another sign-in server than the one that the client secret was used with.",
    "If that is right, enter the client ID and the client secret again in the credential.",
  );
}

/** Of the ways in which a client may prove itself, those that are known come first, as a server may list any number. */
function authMethods({ metadata }: SignInPlace): string[] | undefined {
  const listed: readonly string[] | undefined = metadata.token_endpoint_auth_methods_supported;
  const known = ["client_secret_basic", "client_secret_post", "none"].filter((method) => listed?.includes(method));
  return known.length > 0 ? known : listed?.slice(0, 1).map((method) => method.slice(0, 100));
}

async function clientOf(
  fields: CredentialFields<"mcp-oauth">,
  { issuer, metadata, isAssumed }: SignInPlace,
  { redirectUrl, ownClient, scope }: Pick<SignInRequest, "redirectUrl" | "ownClient"> & { scope: string },
  fetchFn: OAuthFetch,
): Promise<Outcome<Client>> {
  if (fields.clientId !== undefined) {
    return success({ client_id: fields.clientId, client_secret: fields.clientSecret });
  }
  const canRegister = metadata.registration_endpoint !== undefined;
  const readsDocuments = metadata.client_id_metadata_document_supported === true;
  if (readsDocuments && ownClient !== null && (ownClient.isHosted || !canRegister)) {
    return success({ client_id: ownClient.id });
  }
  if (!canRegister) {
    const hint = `Register an application with the server, with the redirect address ${redirectUrl}, and enter its client ID in the credential.`;
    const message = readsDocuments
      ? "This server knows clients by a public https address, which this studio does not have."
      : "The studio cannot register itself with this server.";
    return failure("invalid_config", message, hint);
  }
  const { registerClient } = await import("@modelcontextprotocol/sdk/client/auth.js");
  try {
    const clientMetadata = clientMetadataFor([redirectUrl]);
    return success(
      await registerClient(issuer, { metadata, clientMetadata, fetchFn, ...(scope === "" ? {} : { scope }) }),
    );
  } catch (error) {
    // Nobody said that there is a registration; an answer that is none of OAuth's (the library's "server_error") says that there is not.
    const isOAuth = error instanceof OAuthFetchError || (oauthErrorCode(error) ?? "server_error") !== "server_error";
    if (isAssumed && !isOAuth) return saysNotWhere();
    return oauthFailure(error, "the registration of the studio");
  }
}
