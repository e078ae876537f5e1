import { failure, success, type Outcome } from "../_shared/failure.ts";
import { OAuthFetchError, type OAuthFetch } from "../_shared/oauth/oauth-fetch.ts";
import { oauthFailure } from "../_shared/oauth/oauth-failure.ts";

type OAuthClient = typeof import("@modelcontextprotocol/sdk/client/auth.js");
type ServerInfo = Awaited<ReturnType<OAuthClient["discoverOAuthServerInfo"]>>;

/** Where and how to sign in to an MCP server. */
export type SignInPlace = {
  issuer: string;
  metadata: NonNullable<ServerInfo["authorizationServerMetadata"]>;
  /** The resource that tokens are asked for (RFC 8707), as the server writes it. */
  resource: string;
  /** Scopes that the server names, separated by spaces; empty when it names none. */
  scope: string;
};

const greeting = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "switchyard", version: "1.0.0" } },
});

/**
 * Asks an MCP server where to sign in: its refusal names the metadata of the resource (RFC 9728), which names the
 * authorization server, which describes itself (RFC 8414, OpenID Connect Discovery).
 */
export async function discoverSignIn(serverUrl: string, fetchFn: OAuthFetch): Promise<Outcome<SignInPlace>> {
  const auth = await import("@modelcontextprotocol/sdk/client/auth.js");
  const { checkResourceAllowed, resourceUrlFromServerUrl } =
    await import("@modelcontextprotocol/sdk/shared/auth-utils.js");
  try {
    const refused = await fetchFn(serverUrl, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: greeting,
    });
    if (refused.ok) {
      const hint = "Choose the server on the node without a credential, or with one of type MCP server.";
      return failure("invalid_config", "This MCP server asks for no sign-in.", hint);
    }
    const { resourceMetadataUrl, scope } = auth.extractWWWAuthenticateParams(refused);
    const found = await auth.discoverOAuthServerInfo(serverUrl, { resourceMetadataUrl, fetchFn });
    const { authorizationServerUrl: issuer, authorizationServerMetadata: metadata, resourceMetadata } = found;
    if (metadata === undefined) {
      const hint = "Check the URL. If the server takes a token, use a credential of type MCP server.";
      return failure("invalid_config", "This MCP server does not say where to sign in.", hint);
    }
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
      scope: scope ?? resourceMetadata?.scopes_supported?.join(" ") ?? "",
    });
  } catch (error) {
    if (error instanceof OAuthFetchError) return { ok: false, error: error.failure };
    return oauthFailure(error, "the question where to sign in");
  }
}
