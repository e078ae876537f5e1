import type { Caller } from "../_shared/authenticate.ts";
import type { CredentialFields } from "../_shared/credential-types.ts";
import type { FunctionContext } from "../_shared/endpoint.ts";
import { failure, success, type Outcome } from "../_shared/failure.ts";
import { createOAuthFetch, type OAuthFetch } from "../_shared/oauth/oauth-fetch.ts";
import { oauthFailure } from "../_shared/oauth/oauth-failure.ts";
import { discoverSignIn, type SignInPlace } from "./discover.ts";
import { sealPending, type SealedSignIn } from "./pending-sign-in.ts";

type StartedSignIn = {
  /** Where the person goes. */
  authorizationUrl: string;
  /** Comes back with the person. */
  state: string;
  /** What the browser hands back to finish; unreadable to it. */
  pending: SealedSignIn;
};

type Client = { client_id: string; client_secret?: string | undefined };

/** Finds the sign-in of an MCP server, registers the studio with it where no client ID is given, and says where to go. */
export async function startSignIn(
  fields: CredentialFields<"mcp-oauth">,
  request: { credential: string; redirectUrl: string; signal: AbortSignal },
  caller: Caller,
  context: FunctionContext,
): Promise<Outcome<StartedSignIn>> {
  const { redirectUrl, signal } = request;
  const fetchFn = createOAuthFetch(context, fields.url, { signal });
  const discovered = await discoverSignIn(fields.url, fetchFn);
  if (!discovered.ok) return discovered;
  const place = discovered.value;
  const safe = checkEndpoints(place, fields.url);
  if (!safe.ok) return safe;
  const scope = fields.scope ?? place.scope;
  const client = await clientOf(fields, place, { redirectUrl, scope }, fetchFn);
  if (!client.ok) return client;
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
        namesIssuer: Reflect.get(place.metadata, "authorization_response_iss_parameter_supported") === true,
        grant: {
          issuer: place.metadata.issuer,
          tokenEndpoint: place.metadata.token_endpoint,
          tokenAuthMethods: place.metadata.token_endpoint_auth_methods_supported,
          clientId: client.value.client_id,
          ...(client.value.client_secret === undefined ? {} : { clientSecret: client.value.client_secret }),
          resource: place.resource,
        },
      },
    );
    return sealed.ok ? success({ authorizationUrl: authorizationUrl.href, state, pending: sealed.value }) : sealed;
  } catch (error) {
    return oauthFailure(error, "the request to sign in");
  }
}

/** The browser is sent to one address and tokens to another: both over https, unless the MCP server itself has none. */
function checkEndpoints({ metadata }: SignInPlace, serverUrl: string): Outcome<null> {
  const plain = new URL(serverUrl).protocol === "http:";
  for (const endpoint of [metadata.authorization_endpoint, metadata.token_endpoint]) {
    const { protocol } = new URL(endpoint);
    if (protocol === "https:" || (protocol === "http:" && plain)) continue;
    const hint = "Tell the server's operator, or use a token with a credential of type MCP server.";
    return failure("blocked_address", "The sign-in of this MCP server is not encrypted.", hint);
  }
  return success(null);
}

async function clientOf(
  fields: CredentialFields<"mcp-oauth">,
  { issuer, metadata }: SignInPlace,
  { redirectUrl, scope }: { redirectUrl: string; scope: string },
  fetchFn: OAuthFetch,
): Promise<Outcome<Client>> {
  if (fields.clientId !== undefined) {
    return success({ client_id: fields.clientId, client_secret: fields.clientSecret });
  }
  if (metadata.registration_endpoint === undefined) {
    const hint = `Register an application with the server, with the redirect address ${redirectUrl}, and enter its client ID in the credential.`;
    return failure("invalid_config", "The studio cannot register itself with this server.", hint);
  }
  const { registerClient } = await import("@modelcontextprotocol/sdk/client/auth.js");
  try {
    const clientMetadata = {
      client_name: "Switchyard",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
    return success(
      await registerClient(issuer, { metadata, clientMetadata, fetchFn, ...(scope === "" ? {} : { scope }) }),
    );
  } catch (error) {
    return oauthFailure(error, "the registration of the studio");
  }
}
