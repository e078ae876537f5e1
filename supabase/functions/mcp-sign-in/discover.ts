import { joinScopes } from "../../../src/engine/credentials/scopes.ts";
import { studioVersion } from "../../../src/engine/studio-version.ts";
import { failure, success, type Failure, type Outcome } from "../_shared/failure.ts";
import { OAuthFetchError, type OAuthFetch } from "../_shared/oauth/oauth-fetch.ts";
import { oauthFailure } from "../_shared/oauth/oauth-failure.ts";

type OAuthClient = typeof import("@modelcontextprotocol/sdk/client/auth.js");
type ServerInfo = Awaited<ReturnType<OAuthClient["discoverOAuthServerInfo"]>>;

const protocolVersion = "2025-06-18";

/** Where and how to sign in to an MCP server. */
export interface SignInPlace {
  issuer: string;
  metadata: NonNullable<ServerInfo["authorizationServerMetadata"]>;
  /** The resource that tokens are asked for (RFC 8707), as the server writes it. */
  resource: string;
  /** Scopes that the server names, separated by spaces; empty when it names none. */
  scope: string;
  /** Whether the metadata of the resource names this issuer. */
  isNamed: boolean;
  /** Nobody described it: the addresses are those that the protocol assumed in its version of 2025-03-26. */
  isAssumed: boolean;
}

/**
 * Asks an MCP server where to sign in: its refusal names the metadata of the resource (RFC 9728), which names the
 * authorization server, which describes itself (RFC 8414, OpenID Connect Discovery). A server without such metadata is its
 * own authorization server, as the protocol's version of 2025-03-26 has it.
 */
export async function discoverSignIn(serverUrl: string, fetchFn: OAuthFetch): Promise<Outcome<SignInPlace>> {
  const auth = await import("@modelcontextprotocol/sdk/client/auth.js");
  const { checkResourceAllowed, resourceUrlFromServerUrl } =
    await import("@modelcontextprotocol/sdk/shared/auth-utils.js");
  try {
    const refused = await refusalOf(serverUrl, fetchFn);
    const { resourceMetadataUrl, scope } = refused === null ? {} : auth.extractWWWAuthenticateParams(refused);
    const found = await auth.discoverOAuthServerInfo(serverUrl, { resourceMetadataUrl, fetchFn });
    const { authorizationServerUrl: issuer, authorizationServerMetadata, resourceMetadata } = found;
    if (refused === null && resourceMetadata === undefined) {
      const hint = "Choose the server on the node without a credential, or with one of type MCP server.";
      return failure("invalid_config", "This MCP server asks for no sign-in.", hint);
    }
    // A server that names metadata is of a newer version, and what it does not describe is not assumed.
    const isOld = refused?.status === 401 && resourceMetadataUrl === undefined && resourceMetadata === undefined;
    const metadata = authorizationServerMetadata ?? (isOld ? assumedMetadata(issuer) : undefined);
    if (metadata === undefined) return saysNotWhere();
    const own = resourceUrlFromServerUrl(serverUrl);
    const resource = resourceMetadata?.resource;
    if (resource !== undefined && !checkResourceAllowed({ requestedResource: own, configuredResource: resource })) {
      return failure(
        "blocked_address",
        "The sign-in that this MCP server names is for another server.",
        "Check the URL; if it is right, tell the server's operator.",
      );
    }
    return success({
      issuer,
      metadata,
      resource: resource ?? own.href,
      scope: joinScopes(scope ?? resourceMetadata?.scopes_supported?.join(" ")),
      isNamed: resourceMetadata?.authorization_servers?.includes(issuer) === true,
      isAssumed: authorizationServerMetadata === undefined,
    });
  } catch (error) {
    if (error instanceof OAuthFetchError) return { ok: false, error: error.failure };
    return oauthFailure(error, "the question where to sign in");
  }
}

/** The failure of a server with which nobody can sign in. */
export function saysNotWhere(): { ok: false; error: Failure } {
  const hint = "Check the URL. If the server takes a token, use a credential of type MCP server.";
  return failure("invalid_config", "This MCP server does not say where to sign in.", hint);
}

/** How an MCP server refuses one who is not signed in; null when it does not. Some let anyone greet them, but tell no more. */
async function refusalOf(serverUrl: string, fetchFn: OAuthFetch): Promise<Response | null> {
  const send = (message: object, session: Record<string, string> = {}) =>
    fetchFn(serverUrl, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...session },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
    });
  const clientInfo = { name: "switchyard", version: studioVersion };
  const greeting = { protocolVersion, capabilities: {}, clientInfo };
  const greeted = await send({ method: "initialize", params: greeting });
  if (!greeted.ok) return greeted;
  const id = greeted.headers.get("mcp-session-id");
  const session = { "mcp-protocol-version": protocolVersion, ...(id === null ? {} : { "mcp-session-id": id }) };
  const listed = await send({ method: "tools/list" }, session);
  if (id !== null) await fetchFn(serverUrl, { method: "DELETE", headers: session }).catch(() => null);
  return listed.status === 401 || listed.status === 403 ? listed : null;
}

/** Where the version of 2025-03-26 has the endpoints of a server that does not describe itself. */
function assumedMetadata(issuer: string): SignInPlace["metadata"] {
  return {
    issuer,
    authorization_endpoint: new URL("/authorize", issuer).href,
    token_endpoint: new URL("/token", issuer).href,
    registration_endpoint: new URL("/register", issuer).href,
    response_types_supported: ["code"],
  };
}
